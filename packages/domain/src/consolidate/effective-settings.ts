import { consolidationKeys, findConsolidation } from '../catalog/consolidation.ts';
import type { Category, Method } from '../catalog/metric.ts';
import { isEnabledFor, type ConsolidationSettings } from './settings.ts';

export interface ProviderSwitch {
  readonly provider: string;
  readonly enabled: boolean;
}

/** Settings in which the catalog's defaults fill all gaps. */
export interface EffectiveSettings {
  readonly providers: readonly ProviderSwitch[];
  readonly metrics: readonly {
    readonly key: string;
    readonly category: Category;
    readonly defaultMethod: Method;
    readonly method: Method;
    readonly overridden: boolean;
    readonly providers: readonly ProviderSwitch[];
  }[];
}

/** The effective settings for each key of the catalog and each of these providers. */
export function effectiveSettings(
  settings: ConsolidationSettings,
  providers: readonly string[],
): EffectiveSettings {
  const switchesFor = (key: string | null) =>
    providers.map((provider) => ({ provider, enabled: isEnabledFor(settings, key, provider) }));
  return {
    providers: switchesFor(null),
    metrics: consolidationKeys.map((key) => {
      const { category, defaultMethod } = findConsolidation(key)!;
      const method = settings.metrics?.[key]?.method ?? defaultMethod;
      const overridden = method !== defaultMethod;
      return { key, category, defaultMethod, method, overridden, providers: switchesFor(key) };
    }),
  };
}
