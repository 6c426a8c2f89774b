import type { Day, Sample, Sleep, Stage } from '../../world/people/day.ts';
import type { Visible } from '../../provider.ts';
import { editBedtime, sumSleep } from '../sleep-sums.ts';
import type { Values } from './activity.ts';
import { idOf, sleepsOnMat } from './ids.ts';

const states: Record<Stage, number> = { awake: 0, light: 1, deep: 2, rem: 3 };

/** The sleep in its current version. Each revision moves the bedtime, and an incomplete sleep lacks the end of the night. */
export function reportedSleepOf(sleep: Sleep, revision: number, isCompleted: boolean): Sleep {
  const edited = editBedtime(sleep, revision);
  if (isCompleted) return edited;
  const stages = edited.stages.slice(0, Math.ceil((edited.stages.length * 3) / 4));
  const end = stages.at(-1)?.end ?? edited.end;
  const before = (samples: Sample[]) => samples.filter((sample) => sample.at < end);
  return { ...edited, end, stages, heartRate: before(edited.heartRate), hrv: before(edited.hrv) };
}

/** The summary of a sleep: fields that are always present, and `data` fields that must be requested by name. */
export function sleepSummary(
  personId: string,
  day: Day,
  sleep: Sleep,
  seen: Visible,
  completed: Visible | null,
): { always: object; named: Values } {
  const reportedSleep = reportedSleepOf(sleep, seen.revision, completed !== null);
  return {
    always: {
      id: idOf('sleep', personId, sleep.key),
      startdate: seconds(reportedSleep.start),
      enddate: seconds(reportedSleep.end),
      date: day.date,
      timezone: day.timezone,
      model: sleepsOnMat(personId) ? 32 : 16,
      created: seconds(seen.createdAt),
      modified: seconds(Math.max(seen.updatedAt, completed?.updatedAt ?? 0)),
      completed: completed !== null,
    },
    named: {
      ...durations(reportedSleep),
      ...vitals(reportedSleep),
      ...(completed ? { sleep_score: scoreOf(reportedSleep) } : {}),
    },
  };
}

/** The stages of a sleep, each with the requested samples. */
export function sleepSeries(sleep: Sleep, named: ReadonlySet<string>): { startdate: number }[] {
  const maps: Record<string, Sample[]> = {
    hr: sleep.heartRate,
    rr: sleep.heartRate.map(({ at }) => ({ at, value: sleep.respiratoryRate })),
    rmssd: sleep.hrv,
  };
  return sleep.stages.map(({ stage, start, end }) => ({
    startdate: seconds(start),
    enddate: seconds(end),
    state: states[stage],
    ...Object.fromEntries(
      Object.entries(maps)
        .filter(([name]) => named.has(name))
        .map(([name, samples]) => [name, byEpoch(samples.filter(({ at }) => at >= start && at < end))]),
    ),
  }));
}

function durations(sleep: Sleep): Values {
  const sums = sumSleep(sleep);
  const closing = sleep.stages.at(-1);
  const wakeUp = sleep.stages.length > 1 && closing?.stage === 'awake' ? closing.end - closing.start : 0;
  return {
    total_timeinbed: seconds(sums.inBed),
    total_sleep_time: seconds(sums.asleep),
    asleepduration: seconds(sums.asleep),
    lightsleepduration: seconds(sums.light),
    deepsleepduration: seconds(sums.deep),
    remsleepduration: seconds(sums.rem),
    wakeupduration: seconds(sums.awake),
    sleep_latency: seconds(sums.latency),
    wakeup_latency: seconds(wakeUp),
    waso: seconds(sums.awake - sums.latency - wakeUp),
    sleep_efficiency: Math.round((100 * sums.asleep) / sums.inBed) / 100,
    wakeupcount: sleep.disturbances,
  };
}

function vitals(sleep: Sleep): Values {
  const half = Math.ceil(sleep.hrv.length / 2);
  return {
    hr_average: Math.round(sleep.averageHeartRate),
    hr_min: Math.round(sleep.lowestHeartRate),
    ...(sleep.heartRate.length > 0
      ? { hr_max: Math.round(Math.max(...sleep.heartRate.map(({ value }) => value))) }
      : {}),
    rr_average: Math.round(sleep.respiratoryRate),
    ...(half > 0
      ? { rmssd_start_avg: mean(sleep.hrv.slice(0, half)), rmssd_end_avg: mean(sleep.hrv.slice(-half)) }
      : {}),
  };
}

/** Withings does not publish its scoring. The lab scores eight hours of sleep and a high share of time asleep in bed. */
function scoreOf(sleep: Sleep): number {
  const { asleep, inBed } = sumSleep(sleep);
  return Math.max(1, Math.round(60 * Math.min(1, asleep / 28_800_000) + (40 * asleep) / inBed));
}

function byEpoch(samples: Sample[]): Record<string, number> {
  return Object.fromEntries(samples.map(({ at, value }) => [seconds(at), Math.round(value)]));
}

function mean(samples: Sample[]): number {
  return Math.round(samples.reduce((sum, { value }) => sum + value, 0) / samples.length);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
