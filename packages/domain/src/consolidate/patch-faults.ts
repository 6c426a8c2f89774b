import { findMetric } from '../catalog/catalog.ts';
import { consolidationKeyOf, findConsolidation } from '../catalog/consolidation.ts';
import type { Method } from '../catalog/metric.ts';
import type { SettingsPatch } from './settings.ts';

/** A key that cannot be set, and the group through which it can where there is one. */
export interface UnknownKey {
  readonly key: string;
  readonly group: string | null;
}

/** A method that its key does not allow. */
export interface ForbiddenMethod {
  readonly key: string;
  readonly method: Method;
  readonly allowedMethods: readonly Method[];
}

/** Keys of a change that the consolidation catalog does not have. */
export function unknownKeysOf({ metrics = {} }: SettingsPatch): UnknownKey[] {
  return Object.keys(metrics)
    .filter((key) => findConsolidation(key) === undefined)
    .map((key) => ({ key, group: groupOf(key) }));
}

/** Methods of a change that are not among those of their key. */
export function forbiddenMethodsOf({ metrics = {} }: SettingsPatch): ForbiddenMethod[] {
  return Object.entries(metrics).flatMap(([key, { method }]) => {
    const allowedMethods = findConsolidation(key)?.allowedMethods ?? [];
    const isAllowed = method === undefined || method === null || allowedMethods.includes(method);
    return isAllowed ? [] : [{ key, method, allowedMethods }];
  });
}

/** Every provider that a change names, in order. */
export function providersNamedIn({ providers = {}, metrics = {} }: SettingsPatch): string[] {
  const switches = [providers, ...Object.values(metrics).map((change) => change.providers ?? {})];
  return [...new Set(switches.flatMap((named) => Object.keys(named)))].sort();
}

function groupOf(metricId: string): string | null {
  const metric = findMetric(metricId);
  return metric && consolidationKeyOf(metric) === metric.group ? metric.group : null;
}
