import type { Random } from '@tributary/rig';

const methods: Record<string, (string | null)[]> = {
  steps: ['priority', 'merge', 'max', 'avg', 'sum', null],
  weight: ['priority', 'max', 'avg', null],
  sleep_stages: ['priority', 'avg', null],
};

/** A change of consolidation settings that the catalog allows. It names no provider, because other requests may remove the device in the meantime. */
export function sensibleSettings(random: Random): object {
  const keys = Object.keys(methods).filter(() => random.chance(0.5));
  const metrics = keys.map((key) => [key, random.chance(0.8) ? { method: random.pick(methods[key]!) } : {}]);
  return random.chance(0.1) ? {} : { metrics: Object.fromEntries(metrics) as object };
}
