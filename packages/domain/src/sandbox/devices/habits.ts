import type { DayTruth } from '../day/truth.ts';
import { isInWorkout } from '../day/workout.ts';
import { dayMinutes, slotMinutes } from '../day/slots.ts';

/** Whether the person wears the watch and carries the phone, in five-minute slots. */
export interface Habits {
  readonly worn: readonly boolean[];
  readonly carried: readonly boolean[];
}

/** The share of waking hours in which the phone is carried, and of workouts to which it comes along. */
const carriedHours = 0.85;
const carriedWorkouts = 0.4;
/** The share of days on which the watch stays at home in the morning. */
const forgottenDays = 0.04;
const forgottenUntilMinute = 13 * 60;
const chargingMinute = 20 * 60;

interface Stretch {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** The watch is charged in the evening, and forgotten on some days. The phone is on a table in some hours, and at home during most workouts. */
export function habitsOf(truth: DayTruth): Habits {
  const { plan, night, workout } = truth;
  const { chance } = plan;
  const unworn = [chargingOf(truth), ...forgottenOf(truth)];
  const takesPhone = workout?.sport !== 'swimming' && chance.uniform('phone|workout') < carriedWorkouts;
  const slots = Array.from({ length: dayMinutes / slotMinutes }, (_, slot) => slot);
  return {
    worn: slots.map((slot) => !unworn.some((stretch) => isInside(stretch, slot))),
    carried: slots.map((slot) => {
      if (isInWorkout(workout, slot)) return takesPhone;
      const minute = slot * slotMinutes;
      if (minute >= night.startMinute && minute < night.endMinute) return false;
      return chance.uniform(`phone|hour|${Math.floor(minute / 60)}`) < carriedHours;
    }),
  };
}

function chargingOf({ plan: { chance }, workout }: DayTruth): Stretch {
  const fromMinute = chargingMinute + Math.round(60 * chance.uniform('watch|charging'));
  const minutes = 30 + Math.round(40 * chance.uniform('watch|charge'));
  const isTraining = workout && workout.startMinute < fromMinute + minutes && workout.endMinute > fromMinute;
  const start = isTraining ? workout.endMinute : fromMinute;
  return { fromMinute: start, toMinute: start + minutes };
}

/** People remember the watch before they train. */
function forgottenOf({ plan: { chance }, night, workout }: DayTruth): Stretch[] {
  if (chance.uniform('watch|forgotten') >= forgottenDays) return [];
  const toMinute = Math.min(forgottenUntilMinute, workout?.startMinute ?? forgottenUntilMinute);
  return toMinute > night.endMinute ? [{ fromMinute: night.endMinute, toMinute }] : [];
}

function isInside({ fromMinute, toMinute }: Stretch, slot: number): boolean {
  const minute = slot * slotMinutes;
  return minute + slotMinutes > fromMinute && minute < toMinute;
}
