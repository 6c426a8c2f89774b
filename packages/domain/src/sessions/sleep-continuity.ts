import { coveredMs, union } from '../spans.ts';
import { isSleep, totalMinutes, type PaintedStages } from './sleep-stages.ts';

/** What the order of the stages tells. */
export interface SleepContinuity {
  readonly latencyMinutes: number | null;
  readonly wakeAfterOnsetMinutes: number | null;
  readonly latencyToArisingMinutes: number | null;
  /** Longer than five minutes. */
  readonly awakenings: number | null;
}

const minuteMs = 60_000;
const shortestAwakeningMs = 5 * minuteMs;
const unknown: SleepContinuity = {
  latencyMinutes: null,
  wakeAfterOnsetMinutes: null,
  latencyToArisingMinutes: null,
  awakenings: null,
};

/**
 * How a night went between lying down and getting up. Waking needs every moment from the first sleep to the last to be
 * asleep or awake. Falling asleep and getting up need every moment before and after sleep to be awake or in bed; a
 * session that begins or ends with sleep tells them only if it tells time in bed, for it may have been cut to the sleep.
 */
export function readContinuity(startMs: number, endMs: number, stages: PaintedStages): SleepContinuity {
  const { bed, painted } = stages;
  const sleep = painted.filter(isSleep);
  const onsetMs = sleep[0]?.startMs;
  const wakeMs = sleep.at(-1)?.endMs;
  if (onsetMs === undefined || wakeMs === undefined) return unknown;

  const told = [...bed, ...painted];
  const lyingMinutes = (fromMs: number, toMs: number): number | null => {
    const lengthMs = toMs - fromMs;
    const isInBed = bed.some((piece) => piece.startMs <= fromMs && piece.endMs >= toMs);
    const isTold = lengthMs === 0 ? isInBed : coveredMs(told, fromMs, toMs) === lengthMs;
    return isTold ? lengthMs / minuteMs : null;
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
