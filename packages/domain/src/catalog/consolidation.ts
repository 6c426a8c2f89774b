import { metrics } from './catalog.ts';
import { groupRows } from './group.ts';
import { categories, type Category, type Method, type Metric } from './metric.ts';

/** What a user sets one method for: a group, or a metric that is in none. */
export interface Consolidation {
  readonly key: string;
  readonly displayName: string;
  readonly category: Category;
  readonly defaultMethod: Method;
  readonly allowedMethods: readonly Method[];
  /** Metric ids that follow the setting; a metric that is its own key is its only member. */
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

/** Categories that have something to consolidate, in the order in which they are shown. */
export const categoryOrder: readonly Category[] = categories.filter((category) => category !== 'Scores');

const consolidations = new Map(listConsolidations().map((one) => [one.key, one]));

/** All keys, category by category and inside one in the order of the catalog. */
export const consolidationKeys: readonly string[] = [...consolidations.keys()];

/** The group or single metric behind a key; undefined for members of a group, too. */
export function findConsolidation(key: string): Consolidation | undefined {
  return consolidations.get(key);
}

/** The key that sets how this metric is consolidated, or null where nothing is. */
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
