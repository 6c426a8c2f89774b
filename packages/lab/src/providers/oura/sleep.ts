import { addDays, momentAt } from '../../world/people/local-time.ts';
import type { Day, Sample, Sleep, Stage } from '../../world/people/day.ts';
import { documentId } from '../document-id.ts';
import { isoAt } from '../local-time.ts';
import { editBedtime, stagesByStretch, sumSleep } from '../sleep-sums.ts';
import { readinessOf } from './daily-scores.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';

const phaseDigits: Record<Stage, string> = { deep: '1', light: '2', rem: '3', awake: '4' };
const longSleepMs = 3 * 3_600_000;
const intervalSeconds = 300;

/** Sleeps and naps. One that ends after 18:00 and is not a long sleep belongs to the next day. */
export function keepSleep(life: Life, date: string): DocumentState[] {
  const truth = life.dayOf(date);
  return truth.sleeps.map((sleep) => {
    const type = typeOf(sleep, truth);
    const day = type === 'late_nap' ? addDays(date, 1) : date;
    const id = documentId(life.person.id, 'sleep', day, sleep.key);
    const ending = endingOf(sleep, id);
    return {
      id,
      day,
      key: `${day} ${sleep.key}`,
      endedAt: sleep.end,
      state: 0,
      isDeleted: (revision) => ending === 'deleted' && revision >= 2,
      toDocument: (revision) => ({
        ...sleepDocument(editBedtime(sleep, revision), truth),
        id,
        day,
        type: revision >= 2 ? (ending ?? type) : type,
        sleep_analysis_reason: revision === 0 ? 'foreground_sleep_analysis' : 'bedtime_edit',
        readiness: sleep.isMain ? readinessOf(life, date, revision) : null,
      }),
    };
  });
}

/** A sleep with Oura's names and in seconds. */
function sleepDocument(sleep: Sleep, truth: Day): Omit<OuraDocument, 'id' | 'day'> {
  const sums = sumSleep(sleep);
  const isShort = sleep.end - sleep.start < longSleepMs;
  return {
    bedtime_start: isoAt(sleep.start, truth.timezone),
    bedtime_end: isoAt(sleep.end, truth.timezone),
    total_sleep_duration: seconds(sums.asleep),
    deep_sleep_duration: seconds(sums.deep),
    light_sleep_duration: seconds(sums.light),
    rem_sleep_duration: seconds(sums.rem),
    awake_time: seconds(sums.awake),
    time_in_bed: seconds(sums.inBed),
    latency: seconds(sums.latency),
    efficiency: Math.round((100 * sums.asleep) / sums.inBed),
    average_heart_rate: sleep.averageHeartRate,
    lowest_heart_rate: sleep.lowestHeartRate,
    average_hrv: isShort ? null : sleep.averageHrv,
    average_breath: sleep.respiratoryRate,
    restless_periods: sleep.disturbances,
    heart_rate: series(sleep.heartRate, truth.timezone),
    hrv: series(sleep.hrv, truth.timezone),
    sleep_phase_5_min: phases(sleep, intervalSeconds),
    sleep_phase_30_sec: phases(sleep, 30),
  };
}

function typeOf(sleep: Sleep, truth: Day): string {
  if (sleep.end - sleep.start > longSleepMs) return 'long_sleep';
  return sleep.end > momentAt(truth.timezone, truth.date, 18 * 60) ? 'late_nap' : 'sleep';
}

/** The result when the user reviews a nap a second time. */
function endingOf(sleep: Sleep, id: string): 'rest' | 'deleted' | null {
  if (sleep.isMain) return null;
  return Number.parseInt(id.slice(-1), 16) % 2 === 0 ? 'rest' : 'deleted';
}

/** Values at a fixed interval. The first is null, because the ring has no value yet when it starts to measure. */
function series(
  samples: Sample[],
  timezone: string,
): { interval: number; items: (number | null)[]; timestamp: string } | null {
  const [first] = samples;
  if (!first) return null;
  const items: (number | null)[] = [];
  for (const sample of samples) {
    const place = Math.round((sample.at - first.at) / 1000 / intervalSeconds);
    while (items.length < place) items.push(null);
    items.push(place === 0 ? null : sample.value);
  }
  return { interval: intervalSeconds, items, timestamp: isoAt(first.at, timezone) };
}

function phases(sleep: Sleep, stretchSeconds: number): string {
  return stagesByStretch(sleep, stretchSeconds * 1000)
    .map((stage) => phaseDigits[stage])
    .join('');
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
