import type { Day, Sleep, Stage } from '../../../world/people/day.ts';
import type { Visible } from '../../../provider.ts';
import { documentId } from '../../document-id.ts';
import { editBedtime, sumSleep } from '../../sleep-sums.ts';
import type { Batch, Point } from './batch.ts';
import { int64, stampOf } from '../wire.ts';

const minuteMs = 60_000;

/**
 * The sleeps that end on a day. The first revision moves the bedtime, and the second deletes half of the naps. Measurements that the watch took
 * meanwhile stay.
 */
export function sleepBatches(person: string, day: Day): Batch[] {
  return day.sleeps.map((sleep) => {
    const id = documentId(person, 'sleep', day.date, sleep.key);
    const atEnd = (value: Record<string, unknown>): Point[] => [
      { start: sleep.end, end: sleep.end, source: 'watch', value },
    ];
    return {
      kind: 'sleep',
      key: sleep.key,
      endedAt: sleep.end,
      day,
      recordId: id,
      isDeleted: (type, revision) =>
        type === 'sleep' && revision >= 2 && !sleep.isMain && Number.parseInt(id.slice(-1), 16) % 2 === 0,
      points: {
        sleep: (seen) => {
          const edited = editBedtime(sleep, seen.revision);
          return [
            { start: edited.start, end: edited.end, source: 'watch', id, value: sleepValue(edited, seen) },
          ];
        },
        'heart-rate-variability': () =>
          sleep.hrv.map(({ at, value }) => ({
            start: at,
            end: at,
            source: 'watch',
            value: {
              rootMeanSquareOfSuccessiveDifferencesMilliseconds: value,
              standardDeviationMilliseconds: Math.round(12.5 * value) / 10,
            },
          })),
        'oxygen-saturation': () => atEnd({ percentage: sleep.bloodOxygenPercent }),
        'respiratory-rate-sleep-summary': () => {
          const rate = sleep.respiratoryRate;
          return atEnd({
            fullSleepStats: { breathsPerMinute: rate },
            deepSleepStats: { breathsPerMinute: Math.round(10 * rate - 4) / 10 },
            lightSleepStats: { breathsPerMinute: Math.round(10 * rate + 1) / 10 },
            remSleepStats: { breathsPerMinute: Math.round(10 * rate + 6) / 10 },
          });
        },
      },
    };
  });
}

function sleepValue(sleep: Sleep, { revision, updatedAt }: Visible): Record<string, unknown> {
  const sums = sumSleep(sleep);
  const last = sleep.stages.at(-1);
  // A nap is too short for stages. It only records whether the person was asleep.
  const stages = sleep.isMain ? spansOf(sleep, (stage) => stage.toUpperCase()) : spansOf(sleep, classicOf);
  return {
    type: sleep.isMain ? 'STAGES' : 'CLASSIC',
    stages: stages.map(({ type, start, end }) => ({
      type,
      startTime: stampOf(start),
      endTime: stampOf(end),
    })),
    summary: {
      minutesInSleepPeriod: minutes(sums.inBed),
      minutesAsleep: minutes(sums.asleep),
      minutesAwake: minutes(sums.awake),
      minutesToFallAsleep: minutes(sums.latency),
      minutesAfterWakeUp: minutes(last?.stage === 'awake' ? last.end - last.start : 0),
      stagesSummary: [...new Set(stages.map(({ type }) => type))].map((type) => {
        const ofType = stages.filter((span) => span.type === type);
        const lasted = ofType.reduce((sum, { start, end }) => sum + end - start, 0);
        return { type, minutes: minutes(lasted), count: int64(ofType.length) };
      }),
    },
    metadata: {
      mainSleep: sleep.isMain,
      nap: !sleep.isMain,
      processed: true,
      manuallyEdited: revision > 0,
      stagesStatus: sleep.isMain ? 'SUCCEEDED' : 'REJECTED_NAP',
    },
    updateTime: stampOf(updatedAt),
  };
}

function minutes(ms: number): string {
  return int64(ms / minuteMs);
}

function classicOf(stage: Stage): string {
  return stage === 'awake' ? 'AWAKE' : 'ASLEEP';
}

/** Merges adjacent spans with the same name. */
function spansOf(sleep: Sleep, nameOf: (stage: Stage) => string) {
  const spans: { type: string; start: number; end: number }[] = [];
  for (const { stage, start, end } of sleep.stages) {
    const last = spans.at(-1);
    if (last?.type === nameOf(stage)) last.end = end;
    else spans.push({ type: nameOf(stage), start, end });
  }
  return spans;
}
