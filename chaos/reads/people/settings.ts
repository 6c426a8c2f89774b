import { consolidationKeyOf, consolidationKeys, findConsolidation, findMetric } from '@tributary/domain';
import type { Random } from '@tributary/rig';
import type { Change } from '../model/settings.ts';

/** Metrics that most users' devices report, besides the user's interests. */
const usual = ['steps', 'active_calories', 'distance', 'resting_energy', 'heart_rate', 'sleep_stages'];

/** A random settings change that the catalog allows, for these providers. */
export function someChange(
  random: Random,
  providers: readonly string[],
  interests: readonly string[],
): Change {
  const often = new Set([...usual, ...interests.map((id) => consolidationKeyOf(findMetric(id)!))]);
  const switches = (probability: number) =>
    Object.fromEntries(
      providers.filter(() => random.chance(probability)).map((name) => [name, random.chance(0.4)]),
    );
  const share = random.pick([0.05, 0.3, 0.8]);
  const keys = consolidationKeys.filter((key) => random.chance(often.has(key) ? 0.8 : share));
  const metrics: NonNullable<Change['metrics']> = {};
  for (const key of keys) {
    const method = random.pick([...findConsolidation(key)!.allowedMethods, null]);
    metrics[key] = {
      ...(random.chance(0.8) ? { method } : {}),
      ...(random.chance(0.2) ? { providers: switches(0.5) } : {}),
    };
  }
  return { metrics, ...(random.chance(0.25) ? { providers: switches(0.4) } : {}) };
}
