import { metrics } from './catalog.ts';
import { groupRows } from './group.ts';
import { categories, type Category, type Method, type Metric } from './metric.ts';

/** An entry that a user sets a method for: a group, or a metric that is in no group. */
export interface Consolidation {
  readonly key: string;
  readonly displayName: string;
  readonly category: Category;
  readonly defaultMethod: Method;
  readonly allowedMethods: readonly Method[];
  /** IDs of the metrics that the setting applies to. An ungrouped metric has only itself. */
  readonly members: readonly string[];
}

export const groups: readonly Consolidation[] = Object.entries(groupRows).map(
  ([key, { displayName, category, by }]) => ({
    key,
    displayName,
    category,
    defaultMethod: by.preset,
    allowedMethods: by.allowed,
    members: metrics.filter((metric) => metric.group === key).map((metric) => metric.id),
  }),
);

/** Categories with at least one key, in display order. */
export const categoryOrder: readonly Category[] = categories.filter((category) => category !== 'Scores');

const consolidations = new Map(listConsolidations().map((one) => [one.key, one]));

/** All keys by category, and within a category in catalog order. */
export const consolidationKeys: readonly string[] = [...consolidations.keys()];

/** The group or single metric of a key. Undefined for members of a group. */
export function findConsolidation(key: string): Consolidation | undefined {
  return consolidations.get(key);
}

/** The key that sets the consolidation method of a metric. Null if the metric is not consolidated. */
export function consolidationKeyOf(metric: Metric): string | null {
  if (metric.defaultMethod === null) return null;
  return metric.group ?? metric.id;
}

function listConsolidations(): Consolidation[] {
  const groupOf = new Map(groups.map((group) => [group.key, group]));
  return metrics.flatMap((metric) => {
    const { id, group, displayName, category, defaultMethod, allowedMethods } = metric;
    if (defaultMethod === null) return [];
    if (group !== null) return groupOf.get(group)?.members[0] === id ? [groupOf.get(group)!] : [];
    return [{ key: id, displayName, category, defaultMethod, allowedMethods, members: [id] }];
  });
}
