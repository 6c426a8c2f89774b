import { minuteMs } from '../durations.ts';
import { coveredMs, union } from '../spans.ts';
import { isSleep, totalMinutes, type PaintedStages } from './sleep-stages.ts';

/** Values that follow from the order of the stages. */
export interface SleepContinuity {
  readonly latencyMinutes: number | null;
  readonly wakeAfterOnsetMinutes: number | null;
  readonly latencyToArisingMinutes: number | null;
  /** Awakenings longer than five minutes. */
  readonly awakenings: number | null;
}

const shortestAwakeningMs = 5 * minuteMs;
const unknown: SleepContinuity = {
  latencyMinutes: null,
  wakeAfterOnsetMinutes: null,
  latencyToArisingMinutes: null,
  awakenings: null,
};

/**
 * The course of a night between lying down and getting up. Waking requires every moment from the first to the last sleep to be asleep or
 * awake. Falling asleep and getting up require every moment before and after sleep to be awake or in bed. If a session begins or ends with
 * sleep, they are known only if it reports time in bed, because it may have been trimmed to the sleep.
 */
export function readContinuity(startMs: number, endMs: number, stages: PaintedStages): SleepContinuity {
  const { bed, painted } = stages;
  const sleep = painted.filter(isSleep);
  const onsetMs = sleep[0]?.startMs;
  const wakeMs = sleep.at(-1)?.endMs;
  if (onsetMs === undefined || wakeMs === undefined) return unknown;

  const reportedSpans = [...bed, ...painted];
  const lyingMinutes = (fromMs: number, toMs: number): number | null => {
    const lengthMs = toMs - fromMs;
    const isInBed = bed.some((piece) => piece.startMs <= fromMs && piece.endMs >= toMs);
    const isFullyCovered = lengthMs === 0 ? isInBed : coveredMs(reportedSpans, fromMs, toMs) === lengthMs;
    return isFullyCovered ? lengthMs / minuteMs : null;
  };
  const isUnbroken = coveredMs(painted, onsetMs, wakeMs) === wakeMs - onsetMs;
  const awake = union(painted.filter((piece) => piece.stage === 'awake'));
  const wakings = awake.filter((piece) => piece.startMs >= onsetMs && piece.endMs <= wakeMs);
  const long = wakings.filter((piece) => piece.endMs - piece.startMs > shortestAwakeningMs);
  return {
    latencyMinutes: lyingMinutes(startMs, onsetMs),
    wakeAfterOnsetMinutes: isUnbroken ? totalMinutes(wakings) : null,
    latencyToArisingMinutes: lyingMinutes(wakeMs, endMs),
    awakenings: isUnbroken ? long.length : null,
  };
}
