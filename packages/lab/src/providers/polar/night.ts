import type { Day, Sleep, StageSpan } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { isoAt } from '../local-time.ts';
import { editBedtime, sumSleep } from '../sleep-sums.ts';
import { clockTime } from './wire.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The current state of a night, which the person may have edited. Naps are not reported. */
export interface SeenNight {
  day: Day;
  sleep: Sleep;
  revision: number;
}

/** The night that ended on a date, or null while it is not visible. */
export function seeNight(frame: Frame, { person, dayOf }: Life, date: string): SeenNight | null {
  const day = dayOf(date);
  const sleep = day.sleeps.find(({ isMain }) => isMain);
  const document = sleep && { person: person.id, kind: 'sleep', key: sleep.key };
  const seen = document && frame.visible(document, sleep.end);
  if (!sleep || !seen) return null;
  return { day, sleep: editBedtime(sleep, seen.revision), revision: seen.revision };
}

/** A night on the wire, in seconds. */
export function nightRecord({ day, sleep, revision }: SeenNight, userId: string): Record<string, unknown> {
  const sums = sumSleep(sleep);
  const zone = day.timezone;
  const rem = sleep.stages.filter(({ stage }) => stage === 'rem').length;
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${userId}`,
    date: day.date,
    sleep_start_time: isoAt(sleep.start, zone),
    sleep_end_time: isoAt(sleep.end, zone),
    light_sleep: sums.light / 1000,
    deep_sleep: sums.deep / 1000,
    rem_sleep: sums.rem / 1000,
    unrecognized_sleep_stage: 0,
    total_interruption_duration: sums.awake / 1000,
    sleep_score: Math.max(1, Math.min(100, Math.round((100 * sums.asleep) / (8 * hourMs)) - revision)),
    continuity: Math.max(1, Math.min(5, Math.round(50 - sleep.disturbances) / 10)),
    sleep_charge: Math.max(1, Math.min(5, Math.round(sums.asleep / (1.6 * hourMs)))),
    sleep_cycles: rem,
    // Times start over at midnight. To get absolute times, a client counts from sleep_start_time.
    hypnogram: Object.fromEntries(sleep.stages.map((span) => [clockTime(span.start, zone), depthOf(span)])),
    heart_rate_samples: Object.fromEntries(
      sleep.heartRate.map(({ at, value }) => [clockTime(at, zone), value]),
    ),
  };
}

/** The nightly recharge: the mean of the four hours that begin half an hour after falling asleep. */
export function rechargeRecord({ day, sleep, revision }: SeenNight, userId: string): Record<string, unknown> {
  const from = sleep.start + sumSleep(sleep).latency + hourMs / 2;
  const inside = ({ at }: { at: number }): boolean => from <= at && at < from + 4 * hourMs;
  const heartRate = mean(sleep.heartRate.filter(inside));
  const hrv = sleep.hrv.filter(inside);
  const charge = Math.max(-10, Math.min(10, Math.round(mean(hrv) - 55 - revision) / 5));
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${userId}`,
    date: day.date,
    heart_rate_avg: Math.round(heartRate),
    beat_to_beat_avg: Math.round(60_000 / heartRate),
    heart_rate_variability_avg: Math.round(mean(hrv)),
    breathing_rate_avg: sleep.respiratoryRate,
    ans_charge: charge,
    ans_charge_status: Math.max(1, Math.min(5, Math.round(3 + charge / 4))),
    nightly_recharge_status: Math.max(1, Math.min(6, Math.round(3.5 + charge / 3))),
    hrv_samples: Object.fromEntries(hrv.map(({ at, value }) => [clockTime(at, day.timezone), value])),
    breathing_samples: Object.fromEntries(
      hrv.map(({ at }) => [clockTime(at, day.timezone), sleep.respiratoryRate]),
    ),
  };
}

/** 0 is awake, 1 is REM, 2 and 3 are light, 4 is deep. A long light stage counts as the deeper of the two. */
function depthOf({ stage, start, end }: StageSpan): number {
  if (stage === 'light') return end - start < 20 * minuteMs ? 2 : 3;
  return { awake: 0, rem: 1, deep: 4 }[stage];
}

function mean(samples: readonly { value: number }[]): number {
  return samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
}
