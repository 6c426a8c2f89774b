import type { ConsolidationSettings } from '@tributary/domain';
import { changedFields } from '../audit/changed-fields.ts';

type Switches = Readonly<Record<string, false>>;

/** Describes a settings change: the new provider switches, and the methods before and after. A null method means the catalog's default. */
export function describeSettingsChange(
  before: ConsolidationSettings,
  after: ConsolidationSettings,
): Record<string, unknown> {
  const keys = changedFields(before.metrics ?? {}, after.metrics ?? {});
  const metrics = keys.map((key) => {
    const [was = {}, is = {}] = [before.metrics?.[key], after.metrics?.[key]];
    const method = { before: was.method ?? null, after: is.method ?? null };
    return [
      key,
      {
        ...(method.before !== method.after && { method }),
        ...describeSwitches(was.providers, is.providers),
      },
    ];
  });
  return {
    ...describeSwitches(before.providers, after.providers),
    ...(keys.length > 0 && { metrics: Object.fromEntries(metrics) }),
  };
}

function describeSwitches(before: Switches = {}, after: Switches = {}): { providers?: object } {
  const changed = changedFields(before, after);
  if (changed.length === 0) return {};
  return { providers: Object.fromEntries(changed.map((provider) => [provider, after[provider] ?? true])) };
}
