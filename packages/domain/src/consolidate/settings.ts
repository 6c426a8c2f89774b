import { consolidationKeyOf, findConsolidation } from '../catalog/consolidation.ts';
import type { Method, Metric } from '../catalog/metric.ts';

/** How a user's devices are made one, as far as that differs from the catalog: an empty one changes nothing. */
export interface ConsolidationSettings {
  /** Providers that are left out everywhere. */
  readonly providers?: Readonly<Record<string, false>>;
  /** By key of the consolidation catalog. */
  readonly metrics?: Readonly<Record<string, MetricSettings>>;
}

export interface MetricSettings {
  readonly method?: Method;
  /** Providers that are left out for this key alone. */
  readonly providers?: Readonly<Record<string, false>>;
}

/** What is to be changed; what is not named stays. A null method is that of the catalog again. */
export interface SettingsPatch {
  readonly providers?: Readonly<Record<string, boolean>>;
  readonly metrics?: Readonly<
    Record<
      string,
      { readonly method?: Method | null; readonly providers?: Readonly<Record<string, boolean>> }
    >
  >;
}

/** The method in force for a metric; null where nothing is consolidated. */
export function methodFor(settings: ConsolidationSettings, metric: Metric): Method | null {
  const key = consolidationKeyOf(metric);
  if (key === null) return null;
  return settings.metrics?.[key]?.method ?? metric.defaultMethod;
}

/** Whether a provider takes part in a metric. */
export function isEnabled(settings: ConsolidationSettings, metric: Metric, provider: string): boolean {
  const key = consolidationKeyOf(metric);
  return isEnabledFor(settings, key, provider);
}

/** The same by key of the consolidation catalog; null for what has none and follows the global switch alone. */
export function isEnabledFor(settings: ConsolidationSettings, key: string | null, provider: string): boolean {
  if (settings.providers?.[provider] === false) return false;
  return key === null || settings.metrics?.[key]?.providers?.[provider] !== false;
}

/** Whether some metric is merged, which takes samples to decide. */
export function mergesAnything({ metrics = {} }: ConsolidationSettings): boolean {
  return Object.values(metrics).some(({ method }) => method === 'merge');
}

/** The settings after a change, without anything that the catalog says already: equal settings have equal text as JSON. */
export function changeSettings(before: ConsolidationSettings, patch: SettingsPatch): ConsolidationSettings {
  const providers = changeSwitches(before.providers, patch.providers);
  const keys = new Set([...Object.keys(before.metrics ?? {}), ...Object.keys(patch.metrics ?? {})]);
  const metrics: Record<string, MetricSettings> = {};
  for (const key of [...keys].sort()) {
    const [old = {}, change = {}] = [before.metrics?.[key], patch.metrics?.[key]];
    const method = change.method === undefined ? old.method : change.method;
    const switches = changeSwitches(old.providers, change.providers);
    const isOverridden =
      method !== undefined && method !== null && method !== findConsolidation(key)?.defaultMethod;
    const changed: MetricSettings = {
      ...(isOverridden ? { method } : {}),
      ...(switches ? { providers: switches } : {}),
    };
    if (Object.keys(changed).length > 0) metrics[key] = changed;
  }
  return { ...(providers ? { providers } : {}), ...(Object.keys(metrics).length > 0 ? { metrics } : {}) };
}

/** Those that are off after a change, in order; nothing when all are on. */
function changeSwitches(
  before: Readonly<Record<string, false>> = {},
  change: Readonly<Record<string, boolean>> = {},
): Record<string, false> | undefined {
  const off = new Set(Object.keys(before));
  for (const [provider, enabled] of Object.entries(change)) {
    if (enabled) off.delete(provider);
    else off.add(provider);
  }
  return off.size > 0 ? Object.fromEntries([...off].sort().map((provider) => [provider, false])) : undefined;
}
