import { familyOf } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import type { ModelSession, WorkoutContent } from './normalized.ts';
import { inOrderOfRank } from './ranks.ts';
import { rounded } from './shown.ts';
import { groupsOf } from './sleep.ts';

export interface ModelWorkout extends ModelSession<WorkoutContent> {
  date: string;
}

/** Adds to workouts the date on which they start. */
export function dateWorkouts(
  workouts: readonly ModelSession<WorkoutContent>[],
  days: LocalDays,
): ModelWorkout[] {
  return workouts.map((workout) => ({ ...workout, date: days.dateOf(workout.startMs) }));
}

function areSame(a: ModelWorkout, b: ModelWorkout): boolean {
  if (familyOf(a.content.sport) !== familyOf(b.content.sport)) return false;
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  const shorter = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  return shared * 2 >= shorter;
}

/** Keeps one version of each workout: the one from the device that ranks best for training. */
export function keepWorkouts(workouts: readonly ModelWorkout[]): ModelWorkout[] {
  const bestWorkouts: ModelWorkout[] = [];
  for (const group of groupsOf(workouts, areSame)) {
    const [best] = inOrderOfRank(
      group.map(({ device }) => device),
      'workout',
    );
    const own: ModelWorkout[] = [];
    for (const workout of group.sort((a, b) => (a.key < b.key ? -1 : 1)))
      if (workout.device.no === best!.no && !own.some((other) => areSame(workout, other))) own.push(workout);
    bestWorkouts.push(...own);
  }
  return bestWorkouts;
}

const distanceOf: Record<string, string> = {
  running: 'running',
  walking: 'walking',
  cycling: 'cycling',
  swimming: 'swimming',
  rowing: 'rowing',
  cross_country_skiing: 'cross_country_skiing',
  downhill_snow_sports: 'downhill_snow_sports',
  wheelchair: 'wheelchair_distance',
};

/** The daily metric that a workout's distance adds to, and the distance in millionths of its unit. */
export function distanceIn({ content: { sport, values } }: ModelWorkout): [string, number] | null {
  const metric = sport === 'backcountry_skiing' ? undefined : distanceOf[familyOf(sport)];
  const km = values['distance'];
  if (metric === undefined || km === undefined) return null;
  return [metric, Math.round((metric === 'swimming' ? km * 1000 : km) * 1e6)];
}

/** Statistics of a heart rate trace. Each reading applies until the next one, for at most a minute. */
export interface TraceNumbers {
  mean: number;
  max: number;
  /** Milliseconds at each rate, to a tenth. */
  msAt: Map<number, number>;
}

export function traceOf({ startMs, endMs, content: { heartRate } }: ModelWorkout): TraceNumbers | null {
  const { offsetsMs, bpm } = heartRate;
  if (bpm.length === 0) return null;
  const msAt = new Map<number, number>();
  let [beats, ms, max] = [0, 0, 0];
  for (let at = 0; at < bpm.length; at += 1) {
    const until = at + 1 < bpm.length ? offsetsMs[at + 1]! : endMs - startMs;
    const lasts = Math.min(60_000, until - offsetsMs[at]!);
    const rate = rounded(bpm[at]!, 1);
    msAt.set(rate, (msAt.get(rate) ?? 0) + lasts);
    beats += bpm[at]! * lasts;
    ms += lasts;
    max = Math.max(max, bpm[at]!);
  }
  return { mean: ms > 0 ? beats / ms : bpm[0]!, max, msAt };
}

/** Minutes in each of the five zones, which begin at 50, 60, 70, 80 and 90% of the maximum heart rate. */
export function zonesOf({ msAt }: TraceNumbers, maxHeartRate: number): number[] {
  const lasted = [0, 0, 0, 0, 0];
  for (const [bpm, ms] of msAt)
    for (const tenths of [9, 8, 7, 6, 5])
      if (bpm * 10 >= maxHeartRate * tenths) {
        lasted[tenths - 5]! += ms;
        break;
      }
  return lasted.map((ms) => ms / 60_000);
}
