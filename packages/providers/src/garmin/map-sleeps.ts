import { minuteMs } from '@tributary/domain';
import {
  fieldsOf,
  listOf,
  mapped,
  minutesOfSeconds,
  numberOf,
  offsetOfSeconds,
  sumOf,
  textOf,
} from '../mapping/read.ts';
import type { BatchBuilder, SleepInput } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import {
  calendarDateOf,
  latestRows,
  meanOf,
  msOf,
  offsetOfRow,
  samplesOf,
  startOf,
  type Row,
} from './rows.ts';

const stageWords = ['deep', 'light', 'rem', 'awake'] as const;

/**
 * Nights and the naps after them. A night is identified by its date, because `summaryId` changes whenever it is sent again, and the start changes
 * when the user moves the bedtime.
 */
export function mapSleeps(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, calendarDateOf, (one) => (isTentative(one) ? 0 : 1))) {
    const date = calendarDateOf(row);
    const startMs = startOf(row);
    const stages = stagesOf(row);
    batch.addSleep({
      id: `night-${date}`,
      startMs,
      endMs: endOf(row, startMs, stages),
      offset: offsetOfRow(row),
      stages,
      minutes: minutesOf(row),
      vitals: {
        sleep_blood_oxygen: meanOf(samplesOf(row, 'timeOffsetSleepSpo2')),
        sleep_respiratory_rate: meanOf(samplesOf(row, 'timeOffsetSleepRespiration')),
        device_sleep_score: numberOf(fieldsOf(row['overallSleepScore'])['value']),
      },
    });
    napsOf(row).forEach((nap, at) => batch.addSleep({ ...nap, id: `nap-${date}-${at + 1}` }));
  }
}

function isTentative(row: Row): boolean {
  return textOf(row['validation'])?.endsWith('TENTATIVE') ?? false;
}

function minutesOf(row: Row): NonNullable<SleepInput['minutes']> {
  const deep = minutesOfSeconds(row['deepSleepDurationInSeconds']);
  const light = minutesOfSeconds(row['lightSleepDurationInSeconds']);
  // Tentative nights and older watches cannot detect REM and report zero.
  const rem = mapped(minutesOfSeconds(row['remSleepInSeconds']), (minutes) => (minutes > 0 ? minutes : null));
  const asleep = sumOf(deep, light, rem, minutesOfSeconds(row['unmeasurableSleepInSeconds']));
  return { asleep, deep, light, rem, awake: minutesOfSeconds(row['awakeDurationInSeconds']) };
}

function stagesOf(row: Row): NonNullable<SleepInput['stages']> {
  const levels = fieldsOf(row['sleepLevelsMap']);
  return stageWords
    .flatMap((stage) =>
      listOf(levels[stage])
        .map(fieldsOf)
        .flatMap((span) => {
          const [startMs, endMs] = [startOf(span), msOf(span['endTimeInSeconds'])];
          return startMs === null || endMs === null ? [] : [{ stage, startMs, endMs }];
        }),
    )
    .sort((a, b) => a.startMs - b.startMs);
}

/** The duration leaves out time awake at the end, which the stages include. */
function endOf(row: Row, startMs: number | null, stages: readonly { endMs: number }[]): number | null {
  const lastedMs = msOf(row['durationInSeconds']);
  const ends = stages.map(({ endMs }) => endMs);
  if (startMs !== null && lastedMs !== null) ends.push(startMs + lastedMs);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** In chronological order. Naps are identified by their index, because nothing else about them is stable. */
function napsOf(row: Row): Omit<SleepInput, 'id'>[] {
  return listOf(row['naps'])
    .map(fieldsOf)
    .flatMap((nap) => {
      const startMs = msOf(nap['napStartTimeInSeconds']);
      const lastedMs = msOf(nap['napDurationInSeconds']);
      if (startMs === null || lastedMs === null || lastedMs <= 0) return [];
      const offset = offsetOfSeconds(nap['napOffsetInSeconds']);
      return [{ startMs, endMs: startMs + lastedMs, offset, minutes: { asleep: lastedMs / minuteMs } }];
    })
    .sort((a, b) => a.startMs - b.startMs);
}
