import type { Exclusion } from '@tributary/contract';
import { methodDescriptions } from '@tributary/contract';
import { consolidationKeyOf } from '../catalog/consolidation.ts';
import type { Method, Metric } from '../catalog/metric.ts';
import { isEnabled, isEnabledFor, methodFor, type ConsolidationSettings } from '../consolidate/settings.ts';

/** Which method is in force, and who chose it. */
export interface MethodChoice {
  readonly inForce: Method;
  readonly default: Method;
  readonly chosenBy: 'catalog' | 'settings';
  readonly key: string;
  readonly why: string;
}

/** Says which method makes one value of several devices; null for what is not consolidated. */
export function explainMethod(settings: ConsolidationSettings, metric: Metric): MethodChoice | null {
  const key = consolidationKeyOf(metric);
  const inForce = methodFor(settings, metric);
  const preset = metric.defaultMethod;
  if (key === null || inForce === null || preset === null) return null;
  const chosenBy = settings.metrics?.[key]?.method === undefined ? 'catalog' : 'settings';
  const choice =
    chosenBy === 'catalog'
      ? `The catalog chooses ${inForce} for ${key}.`
      : `The settings of this user choose ${inForce} for ${key}; the catalog would choose ${preset}.`;
  return { inForce, default: preset, chosenBy, key, why: `${choice} ${methodDescriptions[inForce]}` };
}

/** Which setting leaves a provider out of a metric; null where it takes part. */
export function exclusionOf(
  settings: ConsolidationSettings,
  metric: Metric,
  provider: string,
): Exclusion | null {
  if (isEnabled(settings, metric, provider)) return null;
  return isEnabledFor(settings, null, provider) ? 'provider_for_metric' : 'provider_everywhere';
}
