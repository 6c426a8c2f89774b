import { findMetric } from '../../catalog/catalog.ts';
import type { DayNumber } from '../../days.ts';
import { convertFromCatalogUnit } from '../../units.ts';
import type { PersonDays } from '../inputs/person-days.ts';

// Battelino 2019: 14 days with readings at least 70% of the time. Bergenstal 2018: 3.31 + 0.02392 × the mean in mg/dL.
export const glucoseDays = 14;
const leastQuarters = 0.7 * glucoseDays * 96;
const base = 3.31;
const perMgPerDl = 0.02392;

/** The estimate of HbA1c from the two weeks up to a day. Null without readings on the day, or with too few of them. */
export function glucoseManagementOn(days: PersonDays, day: DayNumber): number | null {
  if (days.valueOf('blood_glucose', day) === null) return null;
  let [quarters, sum] = [0, 0];
  for (let at = day - glucoseDays + 1; at <= day; at += 1) {
    const glucose = days.facts.get(at)?.observed?.glucose;
    if (!glucose) continue;
    quarters += glucose.quarters;
    sum += glucose.quarters * glucose.mean;
  }
  if (quarters < leastQuarters) return null;
  return base + perMgPerDl * convertFromCatalogUnit(bloodGlucose, sum / quarters, 'mg/dL')!;
}

const bloodGlucose = findMetric('blood_glucose')!;
