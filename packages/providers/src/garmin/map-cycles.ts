import { formatDay, parseDay } from '@tributary/domain';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import { dateOf, fieldsOf, mapped, numberOf } from '../mapping/read.ts';
import type { Documents } from '../provider.ts';
import { latestRows, type Row } from './rows.ts';

/**
 * The day of a menstrual cycle. A summary names the first day of the period and a day of the cycle, which together give the date. Predicted
 * cycles and pregnancies are left out: their days are not those of a cycle that began.
 */
export function mapCycles(documents: Documents, batch: BatchBuilder): void {
  const rows = documents.filter((row) => isCycle(fieldsOf(row)));
  for (const row of latestRows(rows, dayOfRow)) batch.addDaily(dayOfRow(row), 'cycle_day', cycleDayOf(row));
}

function isCycle(row: Row): boolean {
  const pregnancy = Object.values(fieldsOf(row['pregnancySnapshot']));
  return row['isPredictedCycle'] !== true && pregnancy.every((value) => value === null);
}

const cycleDayOf = (row: Row): number | null =>
  mapped(numberOf(row['dayInCycle']), (day) => (Number.isInteger(day) && day >= 1 ? day : null));

/** The date that the day of the cycle falls on. */
function dayOfRow(row: Row): string | null {
  const first = mapped(dateOf(row['periodStartDate']), parseDay);
  const day = cycleDayOf(row);
  return first === null || day === null ? null : formatDay(first + day - 1);
}
