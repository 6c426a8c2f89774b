import { minuteMs } from '../durations.ts';
import { coveredMs } from '../spans.ts';
import { readContinuity, type SleepContinuity } from './sleep-continuity.ts';
import { isSleep, paintStages, totalMinutes, type StageSpan } from './sleep-stages.ts';

/** Minutes as the source counts them. Values that it did not report are absent. */
export interface ReportedMinutes {
  readonly asleep?: number;
  readonly deep?: number;
  readonly light?: number;
  readonly rem?: number;
  readonly awake?: number;
  readonly in_bed?: number;
}

/** A sleep session as one device reported it. */
export interface ReportedSleep {
  readonly startMs: number;
  readonly endMs: number;
  readonly stages?: readonly StageSpan[];
  readonly minutes?: ReportedMinutes;
}

/** Null for values that were not reported and do not follow exactly from the reported data. */
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
 * The minutes of one sleep session. Reported minutes win. The rest is computed from the stages:
 * - Deep, light and REM are known only if all sleep was staged, and only the stages that occur. A device that cannot
 *   detect REM has not measured 0 minutes of it.
 * - Awake is 0 without a waking stage only if sleep fills the whole session.
 * - In bed is all time reported as in bed, asleep or awake, if some of it is reported as in bed or the stages cover
 *   the whole session.
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
  const reportedSpans = [...bed, ...painted];
  const reportedMs = coveredMs(reportedSpans);
  const isTimeInBedKnown = bed.length > 0 || (painted.length > 0 && reportedMs === endMs - startMs);
  const asleepMinutes = minutes.asleep ?? sumOfStages(minutes) ?? minutesIfAny(sleep);
  const inBedMinutes = minutes.in_bed ?? (isTimeInBedKnown ? reportedMs / minuteMs : null);
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

/** Time asleep cannot exceed time in bed. Numbers that say otherwise are inconsistent. */
function efficiencyOf(asleepMinutes: number | null, inBedMinutes: number | null): number | null {
  if (asleepMinutes === null || inBedMinutes === null || inBedMinutes <= 0) return null;
  return asleepMinutes > inBedMinutes ? null : (100 * asleepMinutes) / inBedMinutes;
}
