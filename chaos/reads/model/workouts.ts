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
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  if (sharedMs <= 0) return false;
  const shorterMs = Math.min(lengthOf(a), lengthOf(b));
  if (familyOf(a.content.sport) === familyOf(b.content.sport) && sharedMs * 2 >= shorterMs) return true;
  if (Math.abs(a.startMs - b.startMs) > 120_000 || !isWithin(5, lengthOf(a), lengthOf(b))) return false;
  return isWithin(3, a.content.values['distance'], b.content.values['distance']) || haveSameTrace(a, b);
}

function lengthOf({ startMs, endMs }: ModelWorkout): number {
  return endMs - startMs;
}

/** Whether two known numbers differ by at most a percentage of the larger one. */
function isWithin(percent: number, a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= (percent / 100) * Math.max(a, b);
}

/** Whether the heart rate traces share at least 90% of the longer one. */
function haveSameTrace(a: ModelWorkout, b: ModelWorkout): boolean {
  const [first, second] = [a, b].map(({ startMs, content: { heartRate } }) =>
    heartRate.offsetsMs.map((offsetMs) => startMs + offsetMs),
  ) as [number[], number[]];
  if (first.length === 0 || second.length === 0) return false;
  const sharedMs = Math.min(first.at(-1)!, second.at(-1)!) - Math.max(first[0]!, second[0]!);
  const longerMs = Math.max(first.at(-1)! - first[0]!, second.at(-1)! - second[0]!);
  return longerMs > 0 && sharedMs * 10 >= longerMs * 9;
}

/** Whether the source replaced the start by one second after midnight. */
function hidesStart({ startMs, content: { utcOffsetMinutes } }: ModelWorkout): boolean {
  const local = new Date(startMs + (utcOffsetMinutes ?? 0) * 60_000);
  return local.toISOString().endsWith('T00:00:01.000Z');
}

/** Whether either of two workouts hides its start, and they agree in everything else. */
function isHiddenCopy(a: ModelWorkout, b: ModelWorkout): boolean {
  return (
    (hidesStart(a) || hidesStart(b)) &&
    a.date === b.date &&
    isWithin(1, lengthOf(a), lengthOf(b)) &&
    isWithin(1, a.content.values['distance'], b.content.values['distance'])
  );
}

/** Keeps one version of each workout: one that shows its start and has a distance, from the device that ranks best for training. */
export function keepWorkouts(workouts: readonly ModelWorkout[]): ModelWorkout[] {
  const areCopies = (a: ModelWorkout, b: ModelWorkout) => areSame(a, b) || isHiddenCopy(a, b);
  const bestWorkouts: ModelWorkout[] = [];
  for (const group of groupsOf(workouts, areCopies)) {
    const byKey = group.sort((a, b) => (a.key < b.key ? -1 : 1));
    const faults = (workout: ModelWorkout) =>
      Number(hidesStart(workout)) * 2 + Number(!((distanceIn(workout)?.micros ?? 0) > 0));
    const inOrder = byKey.toSorted((a, b) => faults(a) - faults(b));
    const [best] = inOrderOfRank(
      inOrder.filter((workout) => faults(workout) === faults(inOrder[0]!)).map(({ device }) => device),
      'workout',
    );
    const own: ModelWorkout[] = [];
    for (const workout of inOrder)
      if (workout.device.no === best!.no && !own.some((other) => areCopies(workout, other)))
        own.push(workout);
    bestWorkouts.push(...own);
  }
  return bestWorkouts;
}

/** Devices that can record workouts. */
export const trainingKinds = ['watch', 'band', 'ring', 'chest_strap', 'bike_computer', 'phone'];

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
export function distanceIn({
  content: { sport, values },
}: ModelWorkout): { metric: string; micros: number } | null {
  const metric = sport === 'backcountry_skiing' ? undefined : distanceOf[familyOf(sport)];
  const km = values['distance'];
  if (metric === undefined || km === undefined) return null;
  return { metric, micros: Math.round((metric === 'swimming' ? km * 1000 : km) * 1e6) };
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
