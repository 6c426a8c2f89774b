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
import type { DayWanted, ReportedRow } from '../../store/reads/explanations.ts';
import { sleepRules } from '../layers/sleep-rules.ts';
import type { UserState } from '../layers/user-state.ts';
import { workoutRules } from '../layers/workout-rules.ts';

/** A batch, and how many of the day's readings came from it. */
export interface BatchShare {
  batchId: string;
  createdMs: number;
  readings: number;
}

/** The data behind a device's value for the day. */
export interface Evidence {
  reading: DayReading;
  samples: Omit<DaySamples, 'batches'> | null;
  sessions: ReportedRow[];
  sessionsTruncated: boolean;
  batches: BatchShare[];
  batchesTruncated: boolean;
  /** True if the day was split with a time zone other than the current one. */
  isSplitDifferently: boolean;
}

/** The device and metric. `isMerged` includes samples even if the device reported a total, as merging does. */
interface EvidenceQuery {
  metricNo: number;
  deviceNo: number;
  isMerged: boolean;
}

/** Collects the data behind a device's value for the day. */
export function evidenceOf(
  state: UserState,
  wanted: DayWanted,
  reportedSessions: readonly ReportedRow[],
  { metricNo, deviceNo, isMerged }: EvidenceQuery,
): Evidence {
  const { content } = state.day(wanted.day, deviceNo);
  const reading = readingOfDay(content, metricNo)!;
  const sampledNo = isMerged ? metricNo : sampledMetricBehind(content, metricNo);
  const samples = sampledNo === null ? null : samplesOf(state, wanted.day, sampledNo, deviceNo);
  const sessions = reading.from === 'sessions' ? sessionsOf(state, wanted, reportedSessions, deviceNo) : [];
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
    isSplitDifferently: sampledNo !== null && countIn(content, sampledNo) !== (samples?.count ?? 0),
  };
}

function ownerOf(content: DeviceDay, metricNo: number): BatchShare {
  const { batchId, createdMs } = content.reported.get(metricNo)!.owner;
  return { batchId: uuidText(batchId), createdMs, readings: 1 };
}

function samplesOf(state: UserState, day: number, metricNo: number, deviceNo: number): DaySamples | null {
  const { timezones } = state.user;
  const chunks = [...state.chunks.values()].flatMap((entry) =>
    entry.metricNo === metricNo && entry.deviceNo === deviceNo && entry.content
      ? [{ chunk: entry.chunk, content: entry.content }]
      : [],
  );
  return samplesBetween(chunks, dayStartMs(day, timezones), dayEndMs(day, timezones));
}

/** The number of samples from which the day was computed. */
function countIn({ sampled }: DeviceDay, metricNo: number): number {
  return [...(sampled.get(metricNo)?.values() ?? [])].reduce((sum, { count }) => sum + count, 0);
}

/** The sessions of a device that belong to the day. */
function sessionsOf(
  state: UserState,
  { day, sessions: { kind } }: DayWanted,
  reportedSessions: readonly ReportedRow[],
  deviceNo: number,
): ReportedRow[] {
  const rules = kind === 'sleep' ? sleepRules : workoutRules;
  return reportedSessions.filter(
    (row) => row.deviceNo === deviceNo && rules.dayOf(row, state.user.timezones) === day,
  );
}

/** Merges the shares of each batch and sorts them by creation time, newest first. */
function latestFirst(shares: readonly BatchShare[]): BatchShare[] {
  const byBatch = Map.groupBy(shares, ({ batchId }) => batchId);
  return [...byBatch.values()]
    .map((own) => ({ ...own[0]!, readings: own.reduce((sum, { readings }) => sum + readings, 0) }))
    .sort((a, b) => b.createdMs - a.createdMs || (a.batchId < b.batchId ? 1 : -1));
}
