import {
  epochNormDays,
  normDays,
  observedDays,
  parseDay,
  PersonDays,
  placeInMonth,
  type DayRange,
  type Timezones,
} from '@tributary/domain';
import type { Profile } from '../../store/users/users.ts';

/** The stored data of a user that some days are scored from. */
export interface PersonRows {
  months: readonly { metricNo: number; month: number; content: Buffer }[];
  scoreDays: readonly { day: number; facts: Buffer }[];
  sleep: readonly { day: number; startMs: number; endMs: number; isMain: boolean }[];
  /** The highest heart rate of each workout with a trace. */
  workoutHighs: readonly { day: number; bpm: number }[];
}

/** Regularity compares seven days from noon to noon. */
const regularityDays = 8;

/** The ranges to read to score some days. */
export function neededFor({ from, to }: DayRange) {
  return {
    months: { first: placeInMonth(from - normDays).month, last: placeInMonth(to).month },
    highestSince: placeInMonth(from - observedDays).month,
    workoutHighs: { from: from - observedDays + 1, to },
    scoreDays: { from: from - epochNormDays, to },
    sleep: { from: from - regularityDays, to: to + 1 },
  };
}

/** Assembles the inputs of scores. */
export function loadPersonDays(
  { profile, timezones }: { profile: Profile; timezones: Timezones },
  { from, to }: DayRange,
  { months, scoreDays, sleep, workoutHighs }: PersonRows,
): PersonDays {
  const days = new PersonDays(
    {
      birthDay: profile.birth_date === undefined ? null : parseDay(profile.birth_date),
      sex: profile.sex ?? null,
      weightKg: profile.weight_kg ?? null,
      maxHeartRate: profile.max_heart_rate ?? null,
      timezone: timezones,
    },
    { from, to },
  );
  for (const { metricNo, month, content } of months) days.load(metricNo, month, content);
  for (const { day, facts } of scoreDays) days.facts.set(day, facts);
  for (const { day, bpm } of workoutHighs)
    days.highestInWorkouts.set(day, Math.max(bpm, days.highestInWorkouts.get(day) ?? 0));
  for (const session of sleep) {
    const known = days.sleep.get(session.day);
    if (known) known.push(session);
    else days.sleep.set(session.day, [session]);
  }
  return days;
}
