import {
  bucketPoints,
  chunkMs,
  chunkOf,
  daysIn,
  decodeChunk,
  decodeStress,
  findMetric,
  intervalsOfChunk,
  joinPoints,
  mergeIntervals,
  pointsOfChunk,
  pointsOfMerged,
  type Chunk,
  type DayRange,
  type Metric,
  type Points,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { readTimeseriesChunks, readTimeseriesFacts, type ChunkKey } from '../../store/reads/timeseries.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { wantedMonths } from '../daily/read-daily.ts';
import { unpack } from '../layers/packing.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { planDays, type DayPlan, type DaySeries } from './plan-days.ts';

/** Samples of one metric, ordered by time. */
export interface Series {
  metric: Metric;
  points: Points;
  /** The device of the points, unless the points name it themselves. Null for derived points. */
  deviceNo: number | null;
}

export interface Timeseries {
  user: ReadUser;
  /** The number of samples. With buckets, an upper bound. */
  count: number;
  devices: ReadonlyMap<number, { id: string; provider: string }>;
  /** Yields pieces ordered by time, so that memory use does not grow with the range. */
  pieces: () => AsyncGenerator<Series[]>;
}

/** Reads the samples of some metrics and days. They are read packed in one query and unpacked piece by piece. */
export async function readTimeseries(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  range: DayRange,
  /** Length of a bucket in milliseconds. Null returns every sample. */
  bucketMs: number | null,
): Promise<Timeseries> {
  const withStress = metrics.includes(stressScore);
  const months = wantedMonths(metrics, range);
  const facts = await readTimeseriesFacts(ctx.db, tenant, userId, months, range, withStress);
  if (!facts) throw userNotFound(formatId('user', userId));
  const packedStress = new Map(facts.stress.map(({ day, data }) => [day, data]));
  const plans = planDays({ ...facts, timezones: facts.user.timezones }, metrics, daysIn(range)).map(
    (plan) => {
      const packed = packedStress.get(plan.day);
      return { ...plan, stress: packed ? decodeStress(packed, plan.startMs) : null };
    },
  );
  return {
    user: facts.user,
    count: countOf(plans, bucketMs),
    devices: new Map(facts.devices.map(([deviceNo, id, provider]) => [deviceNo, { id, provider }])),
    pieces: () => readPieces(ctx, tenant, userId, metrics, plans, bucketMs),
  };
}

const stressScore = findMetric('stress_score')!;

/** Stress belongs to no device: it is computed with the scores of the day. */
type ShownDay = DayPlan & { stress: Points | null };

function countOf(plans: readonly ShownDay[], bucketMs: number | null): number {
  let count = 0;
  for (const { startMs, endMs, series, stress } of plans) {
    const most = bucketMs === null ? Infinity : Math.ceil((endMs - startMs) / bucketMs);
    for (const one of series) count += Math.min(one.count, most);
    if (stress) count += Math.min(stress.timesMs.length, most);
  }
  return count;
}

async function* readPieces(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  plans: readonly ShownDay[],
  bucketMs: number | null,
): AsyncGenerator<Series[]> {
  const packed = await readPacked(ctx, tenant, userId, plans);
  for (const plan of plans) {
    // Merged days and buckets need the whole day at once. Plain samples are read by chunk.
    const isWhole = bucketMs !== null || plan.series.some(({ merged }) => merged);
    const windows = isWhole ? [null] : chunksOf(plan);
    for (const window of windows) {
      yield metrics.flatMap((metric): Series[] => {
        if (metric === stressScore)
          return plan.stress
            ? [{ metric, deviceNo: null, points: stressPoints(plan, plan.stress, window, bucketMs) }]
            : [];
        const series = plan.series.find((one) => one.metric === metric);
        if (!series) return [];
        const { deviceNo } = series.devices[0]!.device;
        return [{ metric, deviceNo, points: pointsOf(plan, series, packed, window, bucketMs) }];
      });
    }
  }
}

type Packed = ReadonlyMap<string, Buffer>;

async function readPacked(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  plans: readonly DayPlan[],
): Promise<Packed> {
  const keys = new Map<string, ChunkKey>();
  for (const { series } of plans)
    for (const { metric, devices } of series)
      for (const { device, chunks } of devices)
        for (const chunk of chunks) {
          const key = { metricNo: metric.no, deviceNo: device.deviceNo, chunk };
          keys.set(nameOf(key), key);
        }
  const names = [...keys.keys()];
  if (names.length === 0) return new Map();
  const rows = await readTimeseriesChunks(ctx.db, tenant, userId, [...keys.values()]);
  return new Map(rows.map(({ at, data }) => [names[at - 1]!, data]));
}

function nameOf({ metricNo, deviceNo, chunk }: ChunkKey): string {
  return `${metricNo}/${deviceNo}/${chunk}`;
}

/** The chunks with samples of any series of the day, as `windowOf` assigns them. */
function chunksOf({ startMs, series, stress }: ShownDay): number[] {
  const chunks = series.flatMap(({ devices }) =>
    devices.flatMap((one) => one.chunks.map((chunk) => windowOf(chunk, startMs))),
  );
  return [...new Set([...chunks, ...(stress?.timesMs.map(chunkOf) ?? [])])].sort((a, b) => a - b);
}

/** Amounts that begin on the day before are read with the first chunk of the day, so that metrics keep their order at the same time. */
function windowOf(chunk: number, dayStartMs: number): number {
  return Math.max(chunk, chunkOf(dayStartMs));
}

/** The stress of one day, or of one chunk if `window` is set. */
function stressPoints(
  { startMs }: DayPlan,
  stress: Points,
  window: number | null,
  bucketMs: number | null,
): Points {
  if (bucketMs !== null) return bucketPoints(stress, startMs, bucketMs, stressScore.aggregation);
  if (window === null) return stress;
  const from = stress.timesMs.findIndex((timeMs) => chunkOf(timeMs) === window);
  if (from < 0) return { ...stress, timesMs: [], micros: [] };
  const to = stress.timesMs.findLastIndex((timeMs) => chunkOf(timeMs) === window) + 1;
  return { ...stress, timesMs: stress.timesMs.slice(from, to), micros: stress.micros.slice(from, to) };
}

/** The samples of one metric and day, or of one chunk if `window` is set. */
function pointsOf(
  { startMs, endMs }: DayPlan,
  { metric, devices, merged }: DaySeries,
  packed: Packed,
  window: number | null,
  bucketMs: number | null,
): Points {
  const open = (deviceNo: number, chunks: readonly number[]): { chunk: number; content: Chunk }[] =>
    chunks.flatMap((chunk) => {
      const data = packed.get(nameOf({ metricNo: metric.no, deviceNo, chunk }));
      return data ? [{ chunk, content: decodeChunk(unpack(data), chunk) }] : [];
    });
  const points = merged
    ? pointsOfMerged(
        mergeIntervals(
          metric,
          devices.map(({ device, chunks }) => ({
            device,
            enabled: true,
            intervals: open(device.deviceNo, chunks).flatMap(({ chunk, content }) =>
              intervalsOfChunk(content, chunk * chunkMs, startMs, endMs),
            ),
          })),
        )?.intervals ?? [],
      )
    : joinPoints(
        open(
          devices[0]!.device.deviceNo,
          devices[0]!.chunks.filter((chunk) => window === null || windowOf(chunk, startMs) === window),
        ).map(({ chunk, content }) =>
          pointsOfChunk(content, chunk * chunkMs, startMs, endMs, metric.aggregation),
        ),
      );
  return bucketMs === null ? points : bucketPoints(points, startMs, bucketMs, metric.aggregation);
}
