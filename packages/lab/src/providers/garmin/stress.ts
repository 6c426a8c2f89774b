import type { Day, Sample } from '../../world/people/day.ts';

const stepMs = 180_000;

/** Stress every three minutes, derived from the heart rate: 1 to 100, or -2 while the body moves too much to measure it. */
export function stressOf(day: Day): Sample[] {
  return every(day, (at, rate) => {
    const isMoving = day.workouts.some((workout) => at >= workout.start && at < workout.end);
    return isMoving ? -2 : Math.max(1, Math.min(100, Math.round((rate - day.restingHeartRate) * 1.6)));
  });
}

/** Remaining energy every three minutes, 5 to 100. Sleep charges it and being awake drains it. */
export function bodyBatteryOf(day: Day): Sample[] {
  let level = 40;
  return every(day, (at) => {
    const isAsleep = day.sleeps.some((sleep) => at >= sleep.start && at < sleep.end);
    level = Math.max(5, Math.min(100, level + (isAsleep ? 0.35 : -0.15)));
    return Math.round(level);
  });
}

/** The total charge and drain of the battery. */
export function chargeOf(battery: readonly Sample[]): { charged: number; drained: number } {
  let charged = 0;
  let drained = 0;
  for (const [at, { value }] of battery.entries()) {
    const change = value - (battery[at - 1]?.value ?? value);
    if (change > 0) charged += change;
    else drained -= change;
  }
  return { charged, drained };
}

/** Seconds at each level. High stress comes from the ground truth instead of the samples. */
export function stressSeconds(stress: readonly Sample[]): { low: number; medium: number } {
  const between = (from: number, to: number) =>
    (stress.filter(({ value }) => value >= from && value <= to).length * stepMs) / 1000;
  return { low: between(26, 50), medium: between(51, 75) };
}

function every(day: Day, value: (at: number, rate: number) => number): Sample[] {
  const samples: Sample[] = [];
  let index = 0;
  for (let at = day.start; at < day.end; at += stepMs) {
    while ((day.heartRate[index + 1]?.at ?? Infinity) <= at) index += 1;
    samples.push({ at, value: value(at, day.heartRate[index]?.value ?? day.restingHeartRate) });
  }
  return samples;
}
