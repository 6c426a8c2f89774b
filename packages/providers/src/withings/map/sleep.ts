import {
  fieldsOf,
  idOf,
  listOf,
  mapped,
  minutesOfSeconds,
  numberOf,
  type Fields,
} from '../../mapping/read.ts';
import type { BatchBuilder, SleepInput } from '../../mapping/batch-builder.ts';
import type { Documents } from '../../provider.ts';
import { sensed } from './sensed.ts';
import { isEcho } from './origin.ts';
import { addSeries } from './series.ts';
import { offsetIn } from './zone.ts';

/** Fields that must be requested by name: for the summary, and for its stages. */
export const summaryFields = [
  'total_timeinbed',
  'total_sleep_time',
  'asleepduration',
  'lightsleepduration',
  'deepsleepduration',
  'remsleepduration',
  'wakeupduration',
  'sleep_latency',
  'wakeup_latency',
  'waso',
  'hr_average',
  'hr_min',
  'rr_average',
  'rmssd_start_avg',
  'rmssd_end_avg',
  'sleep_score',
  'apnea_hypopnea_index',
  'core_body_temperature_avg',
];
export const stageFields = ['hr', 'rr', 'sdnn_1', 'rmssd'];

type Stages = NonNullable<SleepInput['stages']>;

/** Manual and unspecified sleep have no stage. Being out of bed is not a stage. */
const states: Readonly<Record<number, Stages[number]['stage']>> = {
  0: 'awake',
  1: 'light',
  2: 'deep',
  3: 'rem',
  4: 'asleep',
  5: 'asleep',
};

const sampled = {
  hr: 'heart_rate',
  rr: 'respiratory_rate',
  sdnn_1: 'heart_rate_variability',
  rmssd: 'heart_rate_variability_rmssd',
};

/** Maps sleeps, each a summary with its stages. An incomplete sleep is mapped as far as it goes, and again under the same id. */
export function mapSleep(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    const summary = fieldsOf(document['summary']);
    if (isEcho(summary)) continue;
    const pieces = listOf(document['stages']).map(fieldsOf);
    const startMs = msOf(summary['startdate']);
    const data = fieldsOf(summary['data']);
    batch.addSleep({
      id: idOf(summary['id']),
      startMs,
      endMs: msOf(summary['enddate']),
      offset: offsetIn(summary['timezone'], startMs),
      stages: pieces.flatMap(stageOf),
      minutes: {
        in_bed: minutesOfSeconds(data['total_timeinbed']),
        asleep: minutesOfSeconds(data['total_sleep_time']) ?? minutesOfSeconds(data['asleepduration']),
        light: minutesOfSeconds(data['lightsleepduration']),
        deep: minutesOfSeconds(data['deepsleepduration']),
        rem: minutesOfSeconds(data['remsleepduration']),
        awake: minutesOfSeconds(data['wakeupduration']),
      },
      vitals: vitalsOf(data),
    });
    for (const [field, metric] of Object.entries(sampled)) {
      const points = pieces.flatMap((piece) => pointsOf(piece[field]));
      addSeries(batch, metric, summary['timezone'], points);
    }
  }
}

function vitalsOf(data: Fields): Record<string, number | null> {
  return {
    sleep_latency: minutesOfSeconds(data['sleep_latency']),
    latency_to_arising: minutesOfSeconds(data['wakeup_latency']),
    wake_after_sleep_onset: minutesOfSeconds(data['waso']),
    sleep_heart_rate: sensed(data['hr_average']),
    sleep_heart_rate_min: sensed(data['hr_min']),
    sleep_respiratory_rate: sensed(data['rr_average']),
    sleep_heart_rate_variability: meanOf(sensed(data['rmssd_start_avg']), sensed(data['rmssd_end_avg'])),
    device_sleep_score: numberOf(data['sleep_score']),
    apnea_hypopnea_index: numberOf(data['apnea_hypopnea_index']),
    sleep_body_temperature: sensed(data['core_body_temperature_avg']),
  };
}

function stageOf({ state, startdate, enddate }: Fields): Stages {
  const stage = states[numberOf(state) ?? Number.NaN];
  const [startMs, endMs] = [msOf(startdate), msOf(enddate)];
  return stage === undefined || startMs === null || endMs === null ? [] : [{ stage, startMs, endMs }];
}

function pointsOf(byEpoch: unknown): [number, number | null][] {
  return Object.entries(fieldsOf(byEpoch)).flatMap(([epoch, value]): [number, number | null][] => {
    const atMs = msOf(epoch);
    return atMs === null ? [] : [[atMs, sensed(value)]];
  });
}

function meanOf(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function msOf(seconds: unknown): number | null {
  return mapped(numberOf(seconds), (value) => value * 1000);
}
