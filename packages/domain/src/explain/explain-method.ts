import type { Exclusion } from '@tributary/contract';
import { methodDescriptions } from '@tributary/contract';
import { consolidationKeyOf } from '../catalog/consolidation.ts';
import type { Method, Metric } from '../catalog/metric.ts';
import { isEnabled, isEnabledFor, methodFor, type ConsolidationSettings } from '../consolidate/settings.ts';

/** The method in force, and whether the catalog or the settings chose it. */
export interface MethodChoice {
  readonly inForce: Method;
  readonly default: Method;
  readonly chosenBy: 'catalog' | 'settings';
  readonly key: string;
  readonly why: string;
}

/** Explains which method consolidates a metric; null for metrics that are not consolidated. */
export function explainMethod(settings: ConsolidationSettings, metric: Metric): MethodChoice | null {
  const key = consolidationKeyOf(metric);
  const inForce = methodFor(settings, metric);
  const preset = metric.defaultMethod;
  if (key === null || inForce === null || preset === null) return null;
  const chosenBy = settings.metrics?.[key]?.method === undefined ? 'catalog' : 'settings';
  const choice =
    chosenBy === 'catalog'
      ? `The default method for ${key} is ${inForce}.`
      : `This user's settings use ${inForce} for ${key} (default: ${preset}).`;
  const effect = methodDescriptions[inForce];
  const why = `${choice} This method ${effect.charAt(0).toLowerCase()}${effect.slice(1)}`;
  return { inForce, default: preset, chosenBy, key, why };
}

/** The setting that excludes a provider from a metric; null when the provider is enabled. */
export function exclusionOf(
  settings: ConsolidationSettings,
  metric: Metric,
  provider: string,
): Exclusion | null {
  if (isEnabled(settings, metric, provider)) return null;
  return isEnabledFor(settings, null, provider) ? 'provider_for_metric' : 'provider_everywhere';
}
