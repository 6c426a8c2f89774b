import type { DayPlan } from './day-plan.ts';
import type { Night } from './night.ts';
import { slotMinutes } from './slots.ts';
import type { PlannedWorkout, Sport } from './traits.ts';

/** A workout at its time of day. */
export interface TruthWorkout extends PlannedWorkout {
  readonly startMinute: number;
  readonly endMinute: number;
}

const weekendStartMinute = 10 * 60;
const weekdayStartMinute = 17 * 60 + 30;
const leastMinutesAfterWaking = 120;
/** Who sleeps longer than that begins so many minutes after getting up. */
const oversleptMinutes = 30;
const stepsPerMinute: Partial<Record<Sport, number>> = { running: 165, walking: 105 };

/** After work, or in the morning at weekends, once the person is up; shift workers begin two hours after they got up. */
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

/** Whether a slot of five minutes belongs to the workout. */
export function isInWorkout(workout: TruthWorkout | null, slot: number): boolean {
  const minute = slot * slotMinutes;
  return workout !== null && minute >= workout.startMinute && minute < workout.endMinute;
}

/** The steps of the day with those of its workout in place of what would have been walked meanwhile. */
export function withWorkoutSteps(steps: readonly number[], workout: TruthWorkout | null): number[] {
  const rate = workout ? stepsPerMinute[workout.sport] : undefined;
  if (rate === undefined) return [...steps];
  return steps.map((count, slot) => (isInWorkout(workout, slot) ? rate * slotMinutes : count));
}

/** How far a step carries, as a share of the body's height: walking, and in flight. */
const walkingStep = 0.414;
const runningStep = 0.6;

/** Kilometres on foot in each slot. */
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

/** Kilometres an hour at full effort where the legs do not count. */
const fullSpeedKmh: Partial<Record<Sport, number>> = { cycling: 40, swimming: 3.9 };

/** How far a workout went, in kilometres; null for those that stay in place. */
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
