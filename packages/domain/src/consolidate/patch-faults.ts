import { findMetric } from '../catalog/catalog.ts';
import { consolidationKeyOf, findConsolidation } from '../catalog/consolidation.ts';
import type { Method } from '../catalog/metric.ts';
import type { SettingsPatch } from './settings.ts';

/** A key that cannot be set, and the group that it belongs to, if any. */
export interface UnknownKey {
  readonly key: string;
  readonly group: string | null;
}

/** A method that the key does not allow. */
export interface ForbiddenMethod {
  readonly key: string;
  readonly method: Method;
  readonly allowedMethods: readonly Method[];
}

/** Keys in a change that are not in the consolidation catalog. */
export function unknownKeysOf({ metrics = {} }: SettingsPatch): UnknownKey[] {
  return Object.keys(metrics)
    .filter((key) => findConsolidation(key) === undefined)
    .map((key) => ({ key, group: groupOf(key) }));
}

/** Methods in a change that their keys do not allow. */
export function forbiddenMethodsOf({ metrics = {} }: SettingsPatch): ForbiddenMethod[] {
  return Object.entries(metrics).flatMap(([key, { method }]) => {
    const allowedMethods = findConsolidation(key)?.allowedMethods ?? [];
    const isAllowed = method === undefined || method === null || allowedMethods.includes(method);
    return isAllowed ? [] : [{ key, method, allowedMethods }];
  });
}

/** All providers that a change names, sorted. */
export function providersNamedIn({ providers = {}, metrics = {} }: SettingsPatch): string[] {
  const switches = [providers, ...Object.values(metrics).map((change) => change.providers ?? {})];
  return [...new Set(switches.flatMap((named) => Object.keys(named)))].sort();
}

function groupOf(metricId: string): string | null {
  const metric = findMetric(metricId);
  return metric && consolidationKeyOf(metric) === metric.group ? metric.group : null;
}
