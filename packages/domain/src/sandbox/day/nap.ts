import type { DayPlan } from './plan.ts';
import type { Night } from './night.ts';
import { slotMinutes } from './slots.ts';

/** A short sleep during the day, in minutes from midnight. */
export interface Nap {
  readonly startMinute: number;
  readonly endMinute: number;
}

const earliestMinute = 14 * 60;
const leastMinutesAfterWaking = 180;
/** Number of slots in which a nap may begin. */
const choices = 18;

/** The nap of a day, if any, in the quietest part of the afternoon, or of the evening after a night shift. */
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
