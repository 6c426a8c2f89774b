import { minuteMs } from '../../durations.ts';
import { fromMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import { roundTo } from '../../round.ts';
import { union, type Span } from '../../spans.ts';
import { observedFactsOf, type ObservedFacts } from '../daily/observed-facts.ts';

/** Minutes at each heart rate. */
export type HeartRateMinutes = readonly (readonly [minutes: number, bpm: number])[];

/** The measure of variability in the epochs. The two are never mixed. */
export type HrvKind = 'rmssd' | 'sdnn';

/** Five minutes awake at rest, outside workouts. */
export interface Epoch {
  /** Counted from the start of the day. */
  readonly slot: number;
  readonly bpm: number;
  /** In milliseconds. Null if it was not measured. */
  readonly hrv: number | null;
}

/** The intensity of a workout: its heart rate, zones if no heart rate is known, and perceived exertion. */
export interface WorkoutFacts {
  readonly id: string;
  readonly minutes: number;
  /** The share that counts for the day if an earlier workout already covers the rest. */
  readonly share?: number;
  readonly heartRate: HeartRateMinutes;
  /** Minutes in each of the five zones, in addition to those with a heart rate. Empty if the source does not report them. */
  readonly zoneMinutes: readonly number[];
  /** Perceived exertion, 0 to 10. */
  readonly rpe: number | null;
}

/** Facts from samples and workouts of one day that scores use. They are stored so that later days need not read samples again. */
export interface DayFacts {
  /** Minutes with a heart rate, asleep or awake. */
  readonly coveredMinutes: number;
  /** Awake and outside workouts. */
  readonly awake: HeartRateMinutes;
  readonly workouts: readonly WorkoutFacts[];
  readonly hrvKind: HrvKind | null;
  readonly epochs: readonly Epoch[];
  /** For daily values that belong to no score. */
  readonly observed?: ObservedFacts;
}

/** A workout from the canonical layer. */
export interface ScoredWorkout extends Span {
  readonly id: string;
  readonly values: Readonly<Record<string, number>>;
  /** [beats per minute, milliseconds] from its own trace. Empty without one. */
  readonly histogram: readonly (readonly [number, number])[];
  readonly meanBpm: number | null;
}

export interface FactsInput {
  readonly startMs: number;
  readonly endMs: number;
  readonly heartRate: readonly ValueSpan[];
  readonly hrvKind: HrvKind | null;
  readonly hrv: readonly ValueSpan[];
  /** Step counts with the time they cover. */
  readonly steps: readonly ValueSpan[];
  readonly glucose?: readonly ValueSpan[];
  readonly sleep: readonly (Span & { readonly isMain?: boolean })[];
  /** Workouts that start on the day. */
  readonly workouts: readonly ScoredWorkout[];
  /** Workouts of the evening before that extend into the day. */
  readonly earlierWorkouts: readonly ScoredWorkout[];
}

export const epochMs = 5 * minuteMs;
/** Time for the body to settle after exercise. */
const settlingMs = 15 * minuteMs;
/** More steps than this in five minutes count as walking, not rest. */
const restingSteps = 100;

/** Computes the facts of a day for scores. */
export function gatherFacts(input: FactsInput): DayFacts {
  const { sleep, workouts, earlierWorkouts, hrvKind } = input;
  const heartRate = removeOverlaps(input.heartRate);
  // Every minute counts once. Samples count during a workout of the evening before only if that workout has no data of its own.
  const earlierWithData = earlierWorkouts.filter(hasOwnData);
  const elsewhere = union([...sleep, ...workouts, ...earlierWithData]);
  const observed = observedFactsOf({ ...input, heartRate });
  const coveredMs = heartRate.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return {
    coveredMinutes: coveredMs / minuteMs,
    awake: minutesByBpm(heartRate, (piece) => piece.endMs - piece.startMs - overlapMs(piece, elsewhere)),
    workouts: factsOfWorkouts(workouts, heartRate, earlierWithData),
    hrvKind,
    epochs: epochsOf(input),
    ...(observed && { observed }),
  };
}

/** Removes overlap between readings: a later one starts when the earlier one has ended. */
function removeOverlaps(pieces: readonly ValueSpan[]): ValueSpan[] {
  const disjointSpans: ValueSpan[] = [];
  let freeMs = -Infinity;
  for (const { startMs, endMs, micros } of pieces.toSorted((a, b) => a.startMs - b.startMs)) {
    if (endMs <= freeMs) continue;
    disjointSpans.push({ startMs: Math.max(startMs, freeMs), endMs, micros });
    freeMs = endMs;
  }
  return disjointSpans;
}

function hasOwnData({ histogram, values, meanBpm }: ScoredWorkout): boolean {
  return (
    histogram.length > 0 ||
    zonesIn(values).length > 0 ||
    averageOf({ values, meanBpm }) !== null ||
    values['session_rpe'] !== undefined
  );
}

function factsOfWorkouts(
  workouts: readonly ScoredWorkout[],
  heartRate: readonly ValueSpan[],
  earlierWithData: readonly Span[],
): WorkoutFacts[] {
  const countedSpans: Span[] = [...earlierWithData];
  return workouts.map((workout) => {
    const lengthMs = workout.endMs - workout.startMs;
    const repeatedMs = overlapMs(workout, union(countedSpans));
    const facts = factsOfWorkout(workout, heartRate);
    if (facts.heartRate.length + facts.zoneMinutes.length > 0 || facts.rpe !== null)
      countedSpans.push(workout);
    return repeatedMs === 0 ? facts : { ...facts, share: 1 - repeatedMs / lengthMs };
  });
}

/** Uses the workout's own trace, else samples measured during it. Zones, else the average, fill the remaining time. */
function factsOfWorkout(workout: ScoredWorkout, heartRate: readonly ValueSpan[]): WorkoutFacts {
  const { id, startMs, endMs, values, histogram } = workout;
  const minutes = values['duration'] ?? (endMs - startMs) / minuteMs;
  const measured =
    histogram.length > 0
      ? toMinutes(histogram)
      : minutesByBpm(heartRate, (piece) => overlapMs(piece, [workout]));
  const facts = { id, minutes, heartRate: measured, zoneMinutes: [], rpe: values['session_rpe'] ?? null };
  const unmeasured = minutes - measured.reduce((sum, [each]) => sum + each, 0);
  if (measured.length > 0 && unmeasured < 1) return facts;
  const zones = zonesIn(values);
  const unmeasuredShare = measured.length > 0 ? unmeasured / minutes : 1;
  if (zones.length > 0) return { ...facts, zoneMinutes: zones.map((zone) => zone * unmeasuredShare) };
  const average = averageOf(workout);
  return average === null ? facts : { ...facts, heartRate: [...measured, [unmeasured, average]] };
}

function zonesIn(values: ScoredWorkout['values']): number[] {
  const zones = [1, 2, 3, 4, 5].map((zone) => values[`zone_${zone}`] ?? 0);
  return zones.some((minutes) => minutes > 0) ? zones : [];
}

function averageOf({ values, meanBpm }: Pick<ScoredWorkout, 'values' | 'meanBpm'>): number | null {
  const average = values['heart_rate_avg'] ?? meanBpm;
  return average === null ? null : roundTo(average, 1);
}

function toMinutes(histogram: ScoredWorkout['histogram']): [number, number][] {
  const byBpm = new Map<number, number>();
  for (const [bpm, ms] of histogram) byBpm.set(Math.round(bpm), (byBpm.get(Math.round(bpm)) ?? 0) + ms);
  return inMinutes(byBpm);
}

/** Rounds heart rates to whole beats, like the catalog, so that an explanation can list them all. */
function minutesByBpm(pieces: readonly ValueSpan[], msOf: (piece: ValueSpan) => number): [number, number][] {
  const byBpm = new Map<number, number>();
  for (const piece of pieces) {
    const ms = msOf(piece);
    if (ms <= 0) continue;
    const bpm = Math.round(fromMicros(piece.micros));
    byBpm.set(bpm, (byBpm.get(bpm) ?? 0) + ms);
  }
  return inMinutes(byBpm);
}

function inMinutes(msByBpm: ReadonlyMap<number, number>): [number, number][] {
  return [...msByBpm].sort(([a], [b]) => a - b).map(([bpm, ms]) => [ms / minuteMs, bpm]);
}

/** How much of a piece lies within spans, which must be sorted and free of overlap. */
function overlapMs({ startMs, endMs }: Span, spans: readonly Span[]): number {
  let ms = 0;
  for (const span of spans) {
    if (span.startMs >= endMs) break;
    ms += Math.max(0, Math.min(endMs, span.endMs) - Math.max(startMs, span.startMs));
  }
  return ms;
}

function epochsOf(input: FactsInput): Epoch[] {
  const { startMs, endMs, sleep, workouts, earlierWorkouts } = input;
  const workoutSpans = [...earlierWorkouts, ...workouts].map((workout) => ({
    startMs: workout.startMs,
    endMs: workout.endMs + settlingMs,
  }));
  const excluded = union([...sleep, ...workoutSpans]);
  const slots = Math.ceil((endMs - startMs) / epochMs);
  const heartRate = meansBySlot(input.heartRate, startMs, slots);
  const hrv = meansBySlot(input.hrv, startMs, slots);
  const steps = stepsBySlot(input.steps, startMs, slots);
  const epochs: Epoch[] = [];
  let next = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    const fromMs = startMs + slot * epochMs;
    while (next < excluded.length && excluded[next]!.endMs <= fromMs) next += 1;
    const isExcluded = next < excluded.length && excluded[next]!.startMs < fromMs + epochMs;
    const micros = heartRate[slot]!;
    if (isExcluded || Number.isNaN(micros) || steps[slot]! >= restingSteps) continue;
    const variability = hrv[slot]!;
    epochs.push({
      slot,
      bpm: roundTo(fromMicros(micros), 1),
      hrv: Number.isNaN(variability) ? null : roundTo(fromMicros(variability), 1),
    });
  }
  return epochs;
}

/** The time-weighted mean of each slot. NaN if it has no data. */
function meansBySlot(pieces: readonly ValueSpan[], originMs: number, slots: number): Float64Array {
  const weighted = new Float64Array(slots);
  const ms = new Float64Array(slots);
  forEachPart(pieces, originMs, slots, (slot, partMs, piece) => {
    weighted[slot]! += piece.micros * partMs;
    ms[slot]! += partMs;
  });
  return weighted.map((sum, slot) => sum / ms[slot]!);
}

/** The count in each slot. A count over several slots is distributed by time. */
function stepsBySlot(pieces: readonly ValueSpan[], originMs: number, slots: number): Float64Array {
  const steps = new Float64Array(slots);
  forEachPart(pieces, originMs, slots, (slot, partMs, { startMs, endMs, micros }) => {
    steps[slot]! += fromMicros(micros) * (partMs / (endMs - startMs));
  });
  return steps;
}

function forEachPart(
  pieces: readonly ValueSpan[],
  originMs: number,
  slots: number,
  visit: (slot: number, partMs: number, piece: ValueSpan) => void,
): void {
  for (const piece of pieces) {
    const first = Math.max(0, Math.floor((piece.startMs - originMs) / epochMs));
    for (let slot = first; slot < slots; slot += 1) {
      const fromMs = originMs + slot * epochMs;
      const partMs = Math.min(piece.endMs, fromMs + epochMs) - Math.max(piece.startMs, fromMs);
      if (partMs <= 0) break;
      visit(slot, partMs, piece);
    }
  }
}
