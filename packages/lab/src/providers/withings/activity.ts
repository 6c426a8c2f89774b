import type { Day, Sample, Workout } from '../../world/people/day.ts';
import type { Frame, Visible } from '../../provider.ts';
import { deviceIdOf } from './ids.ts';

/** A value by its name in `data_fields`. */
export type Values = Record<string, number>;

/** Steps that arrive when the watch syncs again. */
const stepsPerRevision = 41;

/** The share of days that the phone counted instead of the watch. */
const echoRate = 0.08;

/** Whether the phone counted a day. Withings echoes the phone's health store. */
export function isEchoOfPhone(chance: Frame['chance'], personId: string, date: string): boolean {
  return chance('echo', personId, date) < echoRate;
}

/** The summary of a day: fields that are always present, and fields that must be requested by name. */
export function activity(
  personId: string,
  day: Day,
  seen: Visible,
  isEchoed: boolean,
): { always: object; named: Values } {
  const rates = day.heartRate.map((sample) => sample.value);
  const zones = fourZones(sumOfZones(day.workouts));
  return {
    always: {
      date: day.date,
      timezone: day.timezone,
      // Data from a phone's health store is echoed without a device. Counting it next to the phone itself would count it twice.
      ...(isEchoed
        ? { brand: 18, is_tracker: false }
        : { brand: 1, is_tracker: true, deviceid: deviceIdOf(personId, 'watch') }),
      modified: Math.floor(seen.updatedAt / 1000),
    },
    named: {
      steps: day.steps + stepsPerRevision * seen.revision,
      distance: Math.round(day.distanceM),
      elevation: day.floors,
      soft: day.activeSeconds.low,
      moderate: day.activeSeconds.medium,
      intense: day.activeSeconds.high,
      active: day.activeSeconds.medium + day.activeSeconds.high,
      calories: Math.round(day.activeKcal),
      totalcalories: Math.round(day.activeKcal + day.basalKcal),
      ...(rates.length > 0
        ? {
            hr_average: Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length),
            hr_min: Math.round(Math.min(...rates)),
            hr_max: Math.round(Math.max(...rates)),
          }
        : {}),
      ...zones,
    },
  };
}

/** The watch's records of a day, by the second at which each period begins. */
export function intraday(day: Day): Map<number, Values> {
  const series = new Map<number, Values>();
  const add = (at: number, values: Values) =>
    series.set(Math.floor(at / 1000), { ...series.get(Math.floor(at / 1000)), ...values });
  let before = 0;
  for (const [hour, steps] of day.hourlySteps.entries()) {
    // Shares come from running totals, so that the hours add up to the day.
    const share = (total: number) => shareOf(total, before, before + steps, day.steps);
    if (steps > 0)
      add(day.start + hour * 3_600_000, {
        steps,
        distance: share(Math.round(day.distanceM)),
        elevation: share(day.floors),
        calories: share(Math.round(day.activeKcal)),
        duration: 3600,
      });
    before += steps;
  }
  const each = (samples: Sample[], name: string) => {
    for (const sample of samples) add(sample.at, { [name]: Math.round(sample.value) });
  };
  each(day.heartRate, 'heart_rate');
  for (const sleep of day.sleeps) {
    each(sleep.hrv, 'rmssd');
    add(sleep.end - 60_000, {
      spo2_auto: Math.round(sleep.bloodOxygenPercent),
      rr: Math.round(sleep.respiratoryRate),
    });
  }
  return series;
}

/** Withings has four zones where the ground truth has five, so the two highest are merged. */
export function fourZones([one, two, three, four, five]: Workout['zoneSeconds']): Values {
  return { hr_zone_0: one, hr_zone_1: two, hr_zone_2: three, hr_zone_3: four + five };
}

function sumOfZones(workouts: Workout[]): Workout['zoneSeconds'] {
  const sum: Workout['zoneSeconds'] = [0, 0, 0, 0, 0];
  for (const workout of workouts)
    for (const zone of sum.keys()) sum[zone] = (sum[zone] ?? 0) + (workout.zoneSeconds[zone] ?? 0);
  return sum;
}

function shareOf(total: number, from: number, to: number, whole: number): number {
  return Math.round((total * to) / whole) - Math.round((total * from) / whole);
}
