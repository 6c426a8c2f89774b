import { consolidationKeyOf, findConsolidation } from '../catalog/consolidation.ts';
import type { Method, Metric } from '../catalog/metric.ts';

/** A user's consolidation settings, as far as they differ from the catalog. Empty settings change nothing. */
export interface ConsolidationSettings {
  /** Providers that are excluded everywhere. */
  readonly providers?: Readonly<Record<string, false>>;
  /** By key of the consolidation catalog. */
  readonly metrics?: Readonly<Record<string, MetricSettings>>;
}

export interface MetricSettings {
  readonly method?: Method;
  /** Providers that are excluded for this key only. */
  readonly providers?: Readonly<Record<string, false>>;
}

/** A change of settings. Omitted fields stay as they are, and a null method restores the default. */
export interface SettingsPatch {
  readonly providers?: Readonly<Record<string, boolean>>;
  readonly metrics?: Readonly<
    Record<
      string,
      { readonly method?: Method | null; readonly providers?: Readonly<Record<string, boolean>> }
    >
  >;
}

/** The effective method of a metric. Null if the metric is not consolidated. */
export function methodFor(settings: ConsolidationSettings, metric: Metric): Method | null {
  const key = consolidationKeyOf(metric);
  if (key === null) return null;
  return settings.metrics?.[key]?.method ?? metric.defaultMethod;
}

/** Whether a provider is enabled for a metric. */
export function isEnabled(settings: ConsolidationSettings, metric: Metric, provider: string): boolean {
  const key = consolidationKeyOf(metric);
  return isEnabledFor(settings, key, provider);
}

/** The same by key of the consolidation catalog. With a null key, only the global setting applies. */
export function isEnabledFor(settings: ConsolidationSettings, key: string | null, provider: string): boolean {
  if (settings.providers?.[provider] === false) return false;
  return key === null || settings.metrics?.[key]?.providers?.[provider] !== false;
}

/** Whether any metric is merged, which requires samples. */
export function mergesAnything({ metrics = {} }: ConsolidationSettings): boolean {
  return Object.values(metrics).some(({ method }) => method === 'merge');
}

/** Applies a change and removes everything that equals the catalog, so that equal settings have the same JSON text. */
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

/** Disabled providers after a change, sorted. Undefined if all are enabled. */
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
