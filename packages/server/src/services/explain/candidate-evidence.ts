import { explanationLimits } from '@tributary/contract';
import {
  dayEndMs,
  dayStartMs,
  readingOfDay,
  sampledMetricBehind,
  samplesBetween,
  uuidText,
  type DayReading,
  type DaySamples,
  type DeviceDay,
} from '@tributary/domain';
import type { DayWanted, ToldRow } from '../../store/explain-reads.ts';
import { sleepRules } from '../layers/sleep-rules.ts';
import type { UserState } from '../layers/user-state.ts';
import { workoutRules } from '../layers/workout-rules.ts';

/** A batch, and how many readings of the day stand by it. */
export interface BatchShare {
  batchId: string;
  createdMs: number;
  readings: number;
}

/** What a device's value of the day rests on. */
export interface Evidence {
  reading: DayReading;
  samples: Omit<DaySamples, 'batches'> | null;
  sessions: ToldRow[];
  sessionsTruncated: boolean;
  batches: BatchShare[];
  batchesTruncated: boolean;
  /** True where the day was cut by another timezone than that of now. */
  isCutOtherwise: boolean;
}

/** Which device and metric, and whether its samples count also where it has a total of its own, as they do in merging. */
interface Asked {
  metricNo: number;
  deviceNo: number;
  isMerged: boolean;
}

/** What a device that has a value for the day made it of. */
export function evidenceOf(
  state: UserState,
  wanted: DayWanted,
  told: readonly ToldRow[],
  { metricNo, deviceNo, isMerged }: Asked,
): Evidence {
  const { content } = state.day(wanted.day, deviceNo);
  const reading = readingOfDay(content, metricNo)!;
  const sampledNo = isMerged ? metricNo : sampledMetricBehind(content, metricNo);
  const samples = sampledNo === null ? null : samplesOf(state, wanted.day, sampledNo, deviceNo);
  const sessions = reading.from === 'sessions' ? sessionsOf(state, wanted, told, deviceNo) : [];
  const batches = latestFirst([
    ...(reading.from === 'reported' ? [ownerOf(content, metricNo)] : []),
    ...(samples?.batches ?? []),
    ...sessions.map(({ batchId, createdMs }) => ({ batchId, createdMs, readings: 1 })),
  ]);
  return {
    reading,
    samples,
    sessions: sessions.slice(0, explanationLimits.sessions),
    sessionsTruncated: sessions.length > explanationLimits.sessions,
    batches: batches.slice(0, explanationLimits.batches),
    batchesTruncated: batches.length > explanationLimits.batches,
    isCutOtherwise: sampledNo !== null && countIn(content, sampledNo) !== (samples?.count ?? 0),
  };
}

function ownerOf(content: DeviceDay, metricNo: number): BatchShare {
  const { batchId, createdMs } = content.reported.get(metricNo)!.owner;
  return { batchId: uuidText(batchId), createdMs, readings: 1 };
}

function samplesOf(state: UserState, day: number, metricNo: number, deviceNo: number): DaySamples | null {
  const { timezone } = state.user;
  const chunks = [...state.chunks.values()].flatMap((entry) =>
    entry.metricNo === metricNo && entry.deviceNo === deviceNo && entry.content
      ? [{ chunk: entry.chunk, content: entry.content }]
      : [],
  );
  return samplesBetween(chunks, dayStartMs(day, timezone), dayEndMs(day, timezone));
}

/** How many samples the day was cut from. */
function countIn({ sampled }: DeviceDay, metricNo: number): number {
  return [...(sampled.get(metricNo)?.values() ?? [])].reduce((sum, { count }) => sum + count, 0);
}

/** The sessions of a device that count for the day. */
function sessionsOf(
  state: UserState,
  { day, sessions: { kind } }: DayWanted,
  told: readonly ToldRow[],
  deviceNo: number,
): ToldRow[] {
  const rules = kind === 'sleep' ? sleepRules : workoutRules;
  return told.filter((row) => row.deviceNo === deviceNo && rules.dayOf(row, state.user.timezone) === day);
}

/** Each batch once. */
function latestFirst(shares: readonly BatchShare[]): BatchShare[] {
  const byBatch = Map.groupBy(shares, ({ batchId }) => batchId);
  return [...byBatch.values()]
    .map((own) => ({ ...own[0]!, readings: own.reduce((sum, { readings }) => sum + readings, 0) }))
    .sort((a, b) => b.createdMs - a.createdMs || (a.batchId < b.batchId ? 1 : -1));
}
