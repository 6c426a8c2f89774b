import { coveredMs } from '../spans.ts';
import { readContinuity, type SleepContinuity } from './sleep-continuity.ts';
import { isSleep, paintStages, totalMinutes, type StageSpan } from './sleep-stages.ts';

/** As the source counts them; what it did not say is absent. */
export interface ReportedMinutes {
  readonly asleep?: number;
  readonly deep?: number;
  readonly light?: number;
  readonly rem?: number;
  readonly awake?: number;
  readonly in_bed?: number;
}

/** A sleep session as one device told it. */
export interface ReportedSleep {
  readonly startMs: number;
  readonly endMs: number;
  readonly stages?: readonly StageSpan[];
  readonly minutes?: ReportedMinutes;
}

/** Null for what was neither told nor follows exactly from what was. */
export interface SleepSummary extends SleepContinuity {
  readonly asleepMinutes: number | null;
  readonly deepMinutes: number | null;
  readonly lightMinutes: number | null;
  readonly remMinutes: number | null;
  readonly awakeMinutes: number | null;
  readonly inBedMinutes: number | null;
  /** 100 × asleep ÷ in bed. */
  readonly efficiencyPercent: number | null;
}

/**
 * The numbers of one sleep session. Reported minutes win; the rest is taken from the stages:
 * - deep, light and REM where all sleep was staged, and only those that occur: a device that cannot tell REM apart has
 *   not measured 0 minutes of it;
 * - awake is 0 without a waking stage only where sleep fills the whole session;
 * - in bed is all time that is told as in bed, asleep or awake, if some of it is told as in bed or none of the session
 *   is missing.
 */
export function summarizeSleep({ startMs, endMs, stages = [], minutes = {} }: ReportedSleep): SleepSummary {
  const layers = paintStages(stages);
  const { bed, painted } = layers;
  const sleep = painted.filter(isSleep);
  const awake = painted.filter((piece) => piece.stage === 'awake');
  const isStaged = sleep.every((piece) => piece.stage !== 'asleep');
  const minutesOf = (stage: 'deep' | 'light' | 'rem'): number | null =>
    minutes[stage] ?? (isStaged ? minutesIfAny(sleep.filter((piece) => piece.stage === stage)) : null);

  const isAllSleep = totalMinutes(sleep) === totalMinutes([{ startMs, endMs }]);
  const told = [...bed, ...painted];
  const toldMs = coveredMs(told);
  const isBedTold = bed.length > 0 || (painted.length > 0 && toldMs === endMs - startMs);
  const asleepMinutes = minutes.asleep ?? sumOfStages(minutes) ?? minutesIfAny(sleep);
  const inBedMinutes = minutes.in_bed ?? (isBedTold ? toldMs / 60_000 : null);
  return {
    asleepMinutes,
    deepMinutes: minutesOf('deep'),
    lightMinutes: minutesOf('light'),
    remMinutes: minutesOf('rem'),
    awakeMinutes: minutes.awake ?? minutesIfAny(awake) ?? (isAllSleep ? 0 : null),
    inBedMinutes,
    efficiencyPercent: efficiencyOf(asleepMinutes, inBedMinutes),
    ...readContinuity(startMs, endMs, layers),
  };
}

function minutesIfAny(pieces: readonly StageSpan[]): number | null {
  return pieces.length > 0 ? totalMinutes(pieces) : null;
}

function sumOfStages({ deep, light, rem }: ReportedMinutes): number | null {
  return deep === undefined || light === undefined || rem === undefined ? null : deep + light + rem;
}

/** Nobody sleeps longer than they lie: numbers that say so do not belong together. */
function efficiencyOf(asleepMinutes: number | null, inBedMinutes: number | null): number | null {
  if (asleepMinutes === null || inBedMinutes === null || inBedMinutes <= 0) return null;
  return asleepMinutes > inBedMinutes ? null : (100 * asleepMinutes) / inBedMinutes;
}
