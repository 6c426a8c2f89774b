import type { DayPlan } from './plan.ts';
import type { Night } from './night.ts';
import { slotMinutes } from './slots.ts';
import type { PlannedWorkout, Sport } from '../person/traits.ts';

/** A workout with its time of day. */
export interface TruthWorkout extends PlannedWorkout {
  readonly startMinute: number;
  readonly endMinute: number;
}

const weekendStartMinute = 10 * 60;
const weekdayStartMinute = 17 * 60 + 30;
const leastMinutesAfterWaking = 120;
/** People who sleep past the usual start begin this many minutes after they get up. */
const oversleptMinutes = 30;
const stepsPerMinute: Partial<Record<Sport, number>> = { running: 165, walking: 105 };

/** Workouts take place after work, or in the morning on weekends, once the person is up. Shift workers begin two hours after they get up. */
export function workoutOf(plan: DayPlan, night: Night): TruthWorkout | null {
  if (!plan.workout) return null;
  const startMinute = plan.shift === null ? byCalendar(plan, night) : afterWaking(night);
  return { ...plan.workout, startMinute, endMinute: startMinute + plan.workout.minutes };
}

function byCalendar({ isWeekend }: DayPlan, { endMinute }: Night): number {
  const usual = isWeekend ? weekendStartMinute : weekdayStartMinute;
  return endMinute <= usual ? usual : Math.ceil((endMinute + oversleptMinutes) / slotMinutes) * slotMinutes;
}

function afterWaking({ endMinute }: Night): number {
  const earliest = Math.max(endMinute + leastMinutesAfterWaking, weekendStartMinute);
  return Math.floor(earliest / slotMinutes) * slotMinutes;
}

/** Whether a five-minute slot belongs to the workout. */
export function isInWorkout(workout: TruthWorkout | null, slot: number): boolean {
  const minute = slot * slotMinutes;
  return workout !== null && minute >= workout.startMinute && minute < workout.endMinute;
}

/** Replaces the steps during the workout with those of the workout. */
export function withWorkoutSteps(steps: readonly number[], workout: TruthWorkout | null): number[] {
  const rate = workout ? stepsPerMinute[workout.sport] : undefined;
  if (rate === undefined) return [...steps];
  return steps.map((count, slot) => (isInWorkout(workout, slot) ? rate * slotMinutes : count));
}

/** Step length as a share of body height, for walking and running. */
const walkingStep = 0.414;
const runningStep = 0.55;

/** Kilometers on foot in each slot. */
export function distancesOnFoot(
  { traits }: DayPlan,
  steps: readonly number[],
  workout: TruthWorkout | null,
): number[] {
  const heightKm = traits.heightCm / 100_000;
  const step = (slot: number) =>
    workout?.sport === 'running' && isInWorkout(workout, slot) ? runningStep : walkingStep;
  return steps.map((count, slot) => count * step(slot) * heightKm);
}

/** Kilometers per hour at full effort for sports without steps. */
const fullSpeedKmh: Partial<Record<Sport, number>> = { cycling: 40, swimming: 3.9 };

/** Distance of a workout in kilometers. Null for stationary workouts. */
export function workoutDistanceKm(
  plan: DayPlan,
  workout: TruthWorkout,
  steps: readonly number[],
): number | null {
  const speed = fullSpeedKmh[workout.sport];
  if (speed !== undefined) return (speed * workout.effort * workout.minutes) / 60;
  if (stepsPerMinute[workout.sport] === undefined) return null;
  const distances = distancesOnFoot(plan, steps, workout);
  return distances.reduce((sum, km, slot) => sum + (isInWorkout(workout, slot) ? km : 0), 0);
}
