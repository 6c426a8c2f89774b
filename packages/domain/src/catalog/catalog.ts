import { buildMetric } from './build-metric.ts';
import { activityDescriptions } from './descriptions/activity.ts';
import { bodyCompositionDescriptions } from './descriptions/body-composition.ts';
import { energyDescriptions } from './descriptions/energy.ts';
import { nutritionDescriptions } from './descriptions/nutrition.ts';
import { reproductiveHealthDescriptions } from './descriptions/reproductive-health.ts';
import { scoreDescriptions } from './descriptions/scores.ts';
import { sleepDescriptions } from './descriptions/sleep.ts';
import { vitalsDescriptions } from './descriptions/vitals.ts';
import { workoutDescriptions } from './descriptions/workouts.ts';
import type { Category, Metric } from './metric.ts';
import { activityRows } from './metrics-activity.ts';
import { bodyCompositionRows } from './metrics-body-composition.ts';
import { energyRows } from './metrics-energy.ts';
import { nutritionRows } from './metrics-nutrition.ts';
import { reproductiveHealthRows } from './metrics-reproductive-health.ts';
import { scoreRows } from './metrics-scores.ts';
import { sleepRows } from './metrics-sleep.ts';
import { vitalsRows } from './metrics-vitals.ts';
import { workoutRows } from './metrics-workouts.ts';
import type { Row } from './row.ts';

/** The data catalog: all metrics that Tributary supports, by category. */
export const metrics: readonly Metric[] = [
  ...inCategory('Activity', activityRows, activityDescriptions),
  ...inCategory('Activity', workoutRows, workoutDescriptions),
  ...inCategory('Energy', energyRows, energyDescriptions),
  ...inCategory('Body Composition', bodyCompositionRows, bodyCompositionDescriptions),
  ...inCategory('Sleep', sleepRows, sleepDescriptions),
  ...inCategory('Vitals', vitalsRows, vitalsDescriptions),
  ...inCategory('Nutrition', nutritionRows, nutritionDescriptions),
  ...inCategory('Reproductive Health', reproductiveHealthRows, reproductiveHealthDescriptions),
  ...inCategory('Scores', scoreRows, scoreDescriptions),
];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));
const byNo = new Map(metrics.map((metric) => [metric.no, metric]));

/** Finds a metric by its exact API ID. */
export function findMetric(id: string): Metric | undefined {
  return byId.get(id);
}

/** Finds a metric by the number it is stored under. */
export function metricOf(no: number): Metric {
  const metric = byNo.get(no);
  if (metric === undefined) throw new Error(`unknown metric number ${no}`);
  return metric;
}

function inCategory(
  category: Category,
  rows: readonly Row[],
  descriptions: Readonly<Record<string, string>>,
): Metric[] {
  return rows.map((row) => buildMetric(row, category, descriptions[row.id] ?? ''));
}
