import { roundTo } from '../../round.ts';
import type { DayPlan } from '../day/plan.ts';
import { recordOf, type Report, type ReportedDay } from './report.ts';

const weighingChance = 0.6;
const usualMinute = 7 * 60;

/** The scale, which people use on most mornings after they get up. */
export function reportOfScale({ truth, window }: ReportedDay): Report {
  const nothing: Report = { series: [], records: [], daily: [], sleep: [], workouts: [] };
  const { plan, night } = truth;
  const { chance, traits } = plan;
  if (chance.uniform('scale|weighing') >= weighingChance) return nothing;
  const minute = Math.max(usualMinute, night.endMinute + 5) + Math.floor(10 * chance.uniform('scale|time'));
  const weight = plan.weightKg + 0.25 * chance.normal('scale|weight');
  const fat = bodyFatOf(traits) + 0.8 * chance.normal('scale|body_fat_percentage');
  return {
    ...nothing,
    records: [
      ...recordOf(window, 'weight', minute, roundTo(weight, 2)),
      ...recordOf(window, 'body_fat_percentage', minute, roundTo(fat, 1)),
      ...recordOf(window, 'lean_body_mass', minute, roundTo(weight * (1 - fat / 100), 2)),
    ],
  };
}

/** Deurenberg 1991: body fat percentage from size, age and sex. */
function bodyFatOf({ weightKg, heightCm, ageYears, sex }: DayPlan['traits']): number {
  const bodyMassIndex = weightKg / (heightCm / 100) ** 2;
  return 1.2 * bodyMassIndex + 0.23 * ageYears - (sex === 'male' ? 10.8 : 0) - 5.4;
}
