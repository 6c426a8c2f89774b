import type { DayPlan } from './day-plan.ts';
import type { Night } from './night.ts';
import { slotMinutes } from './slots.ts';

/** A short sleep by day, in minutes from midnight. */
export interface Nap {
  readonly startMinute: number;
  readonly endMinute: number;
}

const earliestMinute = 14 * 60;
const leastMinutesAfterWaking = 180;
/** Slots in which a nap may begin. */
const choices = 18;

/** The nap of a day, if there is one, in the quietest stretch of its afternoon; after night shifts, of its evening. */
export function napOf({ traits, chance }: DayPlan, night: Night, steps: readonly number[]): Nap | null {
  if (chance.uniform('nap') >= traits.napChance) return null;
  const minutes = Math.round(20 + 40 * chance.uniform('naplen'));
  const earliest = Math.max(earliestMinute, night.endMinute + leastMinutesAfterWaking);
  const first = Math.ceil(earliest / slotMinutes);
  const stepsFrom = (slot: number) =>
    steps.slice(slot, slot + Math.ceil(minutes / slotMinutes)).reduce((sum, count) => sum + count, 0);
  let quietest = first;
  for (let slot = first + 1; slot < first + choices; slot += 1)
    if (stepsFrom(slot) < stepsFrom(quietest)) quietest = slot;
  return { startMinute: quietest * slotMinutes, endMinute: quietest * slotMinutes + minutes };
}
