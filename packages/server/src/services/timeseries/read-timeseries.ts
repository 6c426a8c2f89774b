import {
  bucketPoints,
  chunkMs,
  decodeChunk,
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
import type { Tenant } from '../../store/tenant.ts';
import { readTimeseriesChunks, readTimeseriesFacts, type ChunkKey } from '../../store/timeseries-reads.ts';
import type { ReadUser } from '../../store/user-read.ts';
import { wantedMonths } from '../daily/read-daily.ts';
import { unpack } from '../layers/packing.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { planDays, type DayPlan, type DaySeries } from './plan-days.ts';

/** Samples of one metric, in order of time. */
export interface Series {
  metric: Metric;
  points: Points;
  /** Whose they are, unless the points say so themselves. */
  deviceNo: number;
}

export interface Timeseries {
  user: ReadUser;
  /** How many samples will come; with buckets, no more than that. */
  count: number;
  devices: ReadonlyMap<number, { id: string; provider: string }>;
  /** Piece by piece in order of time, so that the memory it takes does not grow with the range. */
  pieces: () => AsyncGenerator<Series[]>;
}

/**
 * The samples of some metrics and days. They are read packed, at once, and unpacked piece by piece.
 */
export async function readTimeseries(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  range: DayRange,
  /** Length of a bucket in milliseconds; null for every sample as it is. */
  bucketMs: number | null,
): Promise<Timeseries> {
  const facts = await readTimeseriesFacts(ctx.db, tenant, userId, wantedMonths(metrics, range), range);
  if (!facts) throw userNotFound(formatId('user', userId));
  const plans = planDays(facts, metrics, range);
  return {
    user: facts.user,
    count: countOf(plans, bucketMs),
    devices: new Map(facts.devices.map(([deviceNo, id, provider]) => [deviceNo, { id, provider }])),
    pieces: () => readPieces(ctx, tenant, userId, plans, bucketMs),
  };
}

function countOf(plans: readonly DayPlan[], bucketMs: number | null): number {
  let count = 0;
  for (const { startMs, endMs, series } of plans) {
    const most = bucketMs === null ? Infinity : Math.ceil((endMs - startMs) / bucketMs);
    for (const one of series) count += Math.min(one.count, most);
  }
  return count;
}

async function* readPieces(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  plans: readonly DayPlan[],
  bucketMs: number | null,
): AsyncGenerator<Series[]> {
  const packed = await readPacked(ctx, tenant, userId, plans);
  for (const plan of plans) {
    // Merged days and buckets take the whole day at once; plain samples come by the chunk.
    const isWhole = bucketMs !== null || plan.series.some(({ merged }) => merged);
    const windows = isWhole ? [null] : chunksOf(plan);
    for (const window of windows) {
      const piece = plan.series.map((series) => ({
        metric: series.metric,
        deviceNo: series.devices[0]!.device.deviceNo,
        points: pointsOf(plan, series, packed, window, bucketMs),
      }));
      yield piece;
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

/** The chunks that any series of the day has samples in. */
function chunksOf({ series }: DayPlan): number[] {
  const chunks = series.flatMap(({ devices }) => devices.flatMap((one) => one.chunks));
  return [...new Set(chunks)].sort((a, b) => a - b);
}

/** The samples of one metric and day; of one chunk alone, where one is given. */
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
          devices[0]!.chunks.filter((chunk) => window === null || chunk === window),
        ).map(({ chunk, content }) => pointsOfChunk(content, chunk * chunkMs, startMs, endMs)),
      );
  return bucketMs === null ? points : bucketPoints(points, startMs, bucketMs, metric.aggregation);
}
