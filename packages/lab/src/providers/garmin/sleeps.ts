import type { Day, Sleep, Stage } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { editBedtime, sumSleep } from '../sleep-sums.ts';
import { byOffset, offsetSeconds, seconds, summary } from './summary.ts';
import type { Row } from './summary.ts';

/** Whether the watch's result is final, and how often the person has moved the bedtime since. */
export interface Certainty {
  isFinal: boolean;
  edits: number;
}

/** A night with the naps that followed it. A tentative one has no REM yet and will be replaced. */
export function sleepSummary(
  person: Person,
  day: Day,
  night: Sleep,
  naps: readonly Sleep[],
  certainty: Certainty,
): Row {
  const reportedSleep = certainty.isFinal ? editBedtime(night, certainty.edits) : withoutRem(night);
  const sums = sumSleep(reportedSleep);
  const validation = certainty.isFinal
    ? certainty.edits > 0
      ? 'AUTO_MANUAL'
      : 'AUTO_FINAL'
    : 'AUTO_TENTATIVE';
  return {
    ...summary(person, day, reportedSleep.start, 'sleeps', night.key, validation, String(certainty.edits)),
    // The night ends with the last sleep stage, not when the person gets up.
    durationInSeconds: seconds(
      (reportedSleep.stages.findLast(({ stage }) => stage !== 'awake')?.end ?? reportedSleep.end) -
        reportedSleep.start,
    ),
    deepSleepDurationInSeconds: seconds(sums.deep),
    lightSleepDurationInSeconds: seconds(sums.light),
    remSleepInSeconds: seconds(sums.rem),
    awakeDurationInSeconds: seconds(sums.awake),
    unmeasurableSleepInSeconds: 0,
    totalNapDurationInSeconds: seconds(naps.reduce((total, nap) => total + nap.end - nap.start, 0)),
    sleepLevelsMap: levels(reportedSleep),
    timeOffsetSleepSpo2: byOffset(
      hourly(reportedSleep, reportedSleep.bloodOxygenPercent),
      reportedSleep.start,
    ),
    timeOffsetSleepRespiration: byOffset(
      hourly(reportedSleep, reportedSleep.respiratoryRate),
      reportedSleep.start,
    ),
    validation,
    ...(certainty.isFinal ? { overallSleepScore: scoreOf(reportedSleep) } : {}),
    naps: naps.map((nap) => ({
      napStartTimeInSeconds: seconds(nap.start),
      napDurationInSeconds: seconds(nap.end - nap.start),
      napOffsetInSeconds: offsetSeconds(nap.start, day.timezone),
    })),
  };
}

/** Heart rate variability through a night. */
export function hrvSummary(person: Person, day: Day, night: Sleep): Row {
  const values = night.hrv.map(({ value }) => Math.round(value));
  return {
    ...summary(person, day, night.start, 'hrv', night.key),
    durationInSeconds: seconds(night.end - night.start),
    lastNightAvg: Math.round(night.averageHrv),
    ...(values.length > 0 ? { lastNight5MinHigh: Math.max(...values) } : {}),
    hrvValues: byOffset(
      night.hrv.map(({ at, value }) => ({ at, value: Math.round(value) })),
      night.start,
    ),
  };
}

function levels(sleep: Sleep): Record<Stage, object[]> {
  const map: Record<Stage, object[]> = { deep: [], light: [], rem: [], awake: [] };
  for (const { stage, start, end } of sleep.stages)
    map[stage].push({ startTimeInSeconds: seconds(start), endTimeInSeconds: seconds(end) });
  return map;
}

function withoutRem(sleep: Sleep): Sleep {
  return {
    ...sleep,
    stages: sleep.stages.map((span) => (span.stage === 'rem' ? { ...span, stage: 'light' } : span)),
  };
}

function hourly(sleep: Sleep, value: number) {
  const samples = [];
  for (let at = sleep.start; at < sleep.end; at += 3_600_000) samples.push({ at, value });
  return samples;
}

/** Garmin does not publish its scoring. The lab scores eight hours of sleep and a high share of time asleep in bed. */
function scoreOf(sleep: Sleep): { value: number; qualifierKey: string } {
  const { asleep, inBed } = sumSleep(sleep);
  const value = Math.round(60 * Math.min(1, asleep / 28_800_000) + (40 * asleep) / inBed);
  return {
    value,
    qualifierKey: value >= 90 ? 'EXCELLENT' : value >= 80 ? 'GOOD' : value >= 60 ? 'FAIR' : 'POOR',
  };
}
