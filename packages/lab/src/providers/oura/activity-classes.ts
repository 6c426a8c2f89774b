import type { Day } from '../../world/people/day.ts';

const slotMs = 300_000;
const mets = [0.1, 0.9, 1.2, 2.2, 4.5, 7.5];

/** One digit for every five minutes: 1 at rest, 2 inactive, 3 low, 4 medium, 5 high. The most active periods get the highest digits. */
export function classify(
  days: Day[],
  from: number,
  until: number,
  activeSeconds: { low: number; medium: number; high: number },
): number[] {
  const count = Math.floor((until - from) / slotMs);
  const digits = Array<number>(count).fill(2);
  const slots = digits.map((_digit, index) => ({ index, busy: busyAt(days, from + (index + 0.5) * slotMs) }));
  for (const slot of slots) if (slot.busy < 0) digits[slot.index] = 1;
  const awake = slots.filter((slot) => slot.busy >= 0).sort((a, b) => b.busy - a.busy || a.index - b.index);
  let place = 0;
  for (const [digit, seconds] of [
    [5, activeSeconds.high],
    [4, activeSeconds.medium],
    [3, activeSeconds.low],
  ] as const) {
    const last = Math.min(awake.length, place + Math.round((seconds * 1000) / slotMs));
    for (; place < last; place += 1) digits[awake[place]?.index ?? 0] = digit;
  }
  return digits;
}

/** The energy of a class, as a multiple of sitting still. */
export function metOf(digit: number): number {
  return mets[digit] ?? 0;
}

/** The activity level: below zero while asleep, highest in a workout. */
function busyAt(days: Day[], at: number): number {
  for (const day of days) {
    if (day.sleeps.some((sleep) => sleep.start <= at && at < sleep.end)) return -1;
  }
  const day = days.find((candidate) => candidate.start <= at && at < candidate.end);
  if (!day) return 0;
  const workout = day.workouts.find((candidate) => candidate.start <= at && at < candidate.end);
  return workout
    ? 100_000 + workout.averageHeartRate
    : (day.hourlySteps[Math.floor((at - day.start) / 3_600_000)] ?? 0);
}
