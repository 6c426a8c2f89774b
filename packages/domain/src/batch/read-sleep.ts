import type { BatchWire, RejectionCode } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import { dayMs, minuteMs } from '../durations.ts';
import { summarizeSleep } from '../sessions/summarize-sleep.ts';
import { isFromUnsetClock, type ReadingBounds } from './plausible.ts';
import type { Rejections } from './rejections.ts';
import { minutesOf } from './utc-offset.ts';

type SleepWire = NonNullable<BatchWire['sleep']>[number];
type SleepStageWord = NonNullable<SleepWire['stages']>[number]['stage'];

export interface SleepStage {
  stage: SleepStageWord;
  startMs: number;
  endMs: number;
}

/** One sleep session as one device reported it. */
export interface SleepReading {
  id: string;
  startMs: number;
  endMs: number;
  utcOffsetMinutes: number | null;
  stages: SleepStage[];
  /** Minutes as the source counts them. Values that it did not report are absent. */
  minutes: NonNullable<SleepWire['minutes']>;
  /** Metric id → value in the catalog's unit. */
  vitals: Record<string, number>;
}

const longestSleepMs = dayMs;
/** Sources round minutes, and some count the minute in which a session ends. */
const toleranceMinutes = 2;

/** Reads one sleep session. Null if it is rejected. Drops implausible vitals and keeps the rest. */
export function readSleep(
  session: SleepWire,
  index: number,
  bounds: ReadingBounds,
  rejections: Rejections,
): SleepReading | null {
  const startMs = Date.parse(session.start);
  const endMs = Date.parse(session.end);
  const stages = (session.stages ?? []).map(({ stage, start, end }) => ({
    stage,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  }));
  if (!bounds.scopes.includes('sleep')) {
    rejections.add('sleep', index, 'out_of_scope');
    return null;
  }
  const timely =
    startMs >= bounds.earliestMs &&
    endMs > startMs &&
    endMs <= bounds.latestMs &&
    endMs - startMs <= longestSleepMs &&
    stages.every((stage) => stage.startMs >= startMs && stage.endMs <= endMs && stage.endMs > stage.startMs);
  const minutes = session.minutes ?? {};
  const problem = timely ? inconsistencyOf({ startMs, endMs, stages, minutes }) : 'invalid_time';
  if (problem) {
    rejections.add('sleep', index, problem);
    return null;
  }
  const vitals: Record<string, number> = {};
  for (const [id, value] of Object.entries(session.vitals ?? {})) {
    const metric = findMetric(id);
    if (!metric) rejections.add('sleep', index, 'unknown_metric');
    else if (metric.category !== 'Sleep' || metric.origin !== 'measured')
      rejections.add('sleep', index, 'not_accepted');
    else if (value < metric.min || value > metric.max) rejections.add('sleep', index, 'out_of_range');
    else vitals[id] = value;
  }
  return {
    id: session.id,
    startMs,
    endMs,
    utcOffsetMinutes: minutesOf(session.utc_offset),
    stages,
    minutes,
    vitals,
  };
}

/** The reason to reject a session whose times are valid. Null if it is consistent. */
function inconsistencyOf(
  session: Pick<SleepReading, 'startMs' | 'endMs' | 'stages' | 'minutes'>,
): RejectionCode | null {
  const { startMs, endMs, minutes } = session;
  if (isFromUnsetClock(startMs) || isFromUnsetClock(endMs)) return 'unset_clock';
  const { asleep = 0, awake = 0, in_bed: inBed = 0, deep = 0, light = 0, rem = 0 } = minutes;
  const spanMinutes = (endMs - startMs) / minuteMs;
  if (Math.max(asleep, awake, inBed, deep + light + rem) > spanMinutes + toleranceMinutes)
    return 'exceeds_session';
  const { asleepMinutes, inBedMinutes } = summarizeSleep(session);
  const isLonger = (asleepMinutes ?? 0) > (inBedMinutes ?? Infinity) + toleranceMinutes;
  return isLonger ? 'asleep_exceeds_in_bed' : null;
}
