import type { BatchWire } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import { dayMs } from '../durations.ts';
import type { ReadingBounds } from './plausible.ts';
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
  if (!timely) {
    rejections.add('sleep', index, 'invalid_time');
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
    minutes: session.minutes ?? {},
    vitals,
  };
}
