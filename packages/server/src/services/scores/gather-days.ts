import {
  chunkMs,
  decodeChunk,
  findMetric,
  gatherFacts,
  intervalsOfChunk,
  mergeIntervals,
  scoreSamples,
  valueSpansOf,
  type PersonDays,
  type ValueSpan,
} from '@tributary/domain';
import type { ChunkKey } from '../../store/layers/reads.ts';
import type { ScoredWorkoutRow } from '../../store/scores/days.ts';
import { unpack } from '../layers/packing.ts';
import type { DayPlan, DaySeries } from '../timeseries/plan-days.ts';

const heartRate = findMetric('heart_rate')!;
const steps = findMetric('steps')!;
const glucose = findMetric('blood_glucose')!;
const variability = {
  rmssd: findMetric('heart_rate_variability_rmssd')!,
  sdnn: findMetric('heart_rate_variability')!,
};

/** Metrics whose samples scores use. */
export const sampledForScores = scoreSamples.map((id) => findMetric(id)!);

/** Packed samples by chunk key. */
export type Chunks = ReadonlyMap<string, Buffer>;

/** The chunks of some days, by key. */
export function chunksOf(userId: string, plans: readonly DayPlan[]): Map<string, ChunkKey> {
  const keys = new Map<string, ChunkKey>();
  for (const { series } of plans)
    for (const { metric, devices } of series)
      for (const { device, chunks } of devices)
        for (const chunk of chunks) {
          const key = { userId, metricNo: metric.no, deviceNo: device.deviceNo, chunk };
          keys.set(nameOf(key), key);
        }
  return keys;
}

function nameOf({ userId, metricNo, deviceNo, chunk }: ChunkKey): string {
  return `${userId}/${metricNo}/${deviceNo}/${chunk}`;
}

/** Recomputes the score inputs of these days from samples and workouts. */
export function gatherDays(
  userId: string,
  days: PersonDays,
  plans: readonly DayPlan[],
  chunks: Chunks,
  workoutRows: readonly ScoredWorkoutRow[],
): void {
  const workouts = workoutRows.map(({ content: { values, trace, histogram }, ...workout }) => ({
    ...workout,
    values,
    histogram,
    meanBpm: trace?.meanBpm ?? null,
  }));
  for (const plan of plans) {
    const { day, startMs, endMs } = plan;
    const samples = new DaySamples(userId, plan, chunks);
    const hrvKind = (['rmssd', 'sdnn'] as const).find((kind) => samples.has(variability[kind].id)) ?? null;
    const facts = gatherFacts({
      startMs,
      endMs,
      heartRate: samples.coveredSpans(heartRate.id),
      hrvKind,
      hrv: hrvKind ? samples.coveredSpans(variability[hrvKind].id) : [],
      steps: samples.counted(steps.id),
      glucose: samples.coveredSpans(glucose.id),
      sleep: [...(days.sleep.get(day) ?? []), ...(days.sleep.get(day + 1) ?? [])],
      workouts: workouts.filter((workout) => workout.day === day),
      earlierWorkouts: workouts.filter((workout) => workout.day === day - 1 && workout.endMs > startMs),
    });
    days.facts.set(day, facts);
  }
}

/** The samples of one day that the API returns. Scores use the same ones. */
class DaySamples {
  readonly #userId: string;
  readonly #plan: DayPlan;
  readonly #chunks: Chunks;

  constructor(userId: string, plan: DayPlan, chunks: Chunks) {
    this.#userId = userId;
    this.#plan = plan;
    this.#chunks = chunks;
  }

  has(metricId: string): boolean {
    return this.#seriesOf(metricId) !== undefined;
  }

  /** The time spans that a measured series covers. */
  coveredSpans(metricId: string): ValueSpan[] {
    const series = this.#seriesOf(metricId);
    const { startMs, endMs } = this.#plan;
    if (!series) return [];
    return this.#open(series, series.devices[0]!).flatMap((part) =>
      valueSpansOf(part.content, part.startMs, startMs, endMs),
    );
  }

  /** Counted values with their time spans. */
  counted(metricId: string): ValueSpan[] {
    const series = this.#seriesOf(metricId);
    const { startMs, endMs } = this.#plan;
    if (!series) return [];
    const candidates = series.devices.map((device) => ({
      device: device.device,
      enabled: true,
      intervals: this.#open(series, device).flatMap((part) =>
        intervalsOfChunk(part.content, part.startMs, startMs, endMs),
      ),
    }));
    const counted = series.merged
      ? (mergeIntervals(series.metric, candidates)?.intervals ?? [])
      : candidates[0]!.intervals;
    // A count without a duration covers its own moment.
    return counted.map((one) => ({
      startMs: one.startMs,
      endMs: Math.max(one.endMs, one.startMs + 1),
      micros: one.value,
    }));
  }

  #seriesOf(metricId: string): DaySeries | undefined {
    return this.#plan.series.find(({ metric }) => metric.id === metricId);
  }

  #open({ metric }: DaySeries, { device, chunks }: DaySeries['devices'][number]) {
    return chunks.flatMap((chunk) => {
      const key = { userId: this.#userId, metricNo: metric.no, deviceNo: device.deviceNo, chunk };
      const data = this.#chunks.get(nameOf(key));
      return data ? [{ startMs: chunk * chunkMs, content: decodeChunk(unpack(data), chunk) }] : [];
    });
  }
}
