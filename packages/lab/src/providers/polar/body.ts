import { dateAt } from '../../world/people/local-time.ts';
import type { Person } from '../../world/people/person.ts';
import type { Frame } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import type { Life } from '../life.ts';
import type { SeenNight } from './night.ts';
import { lastSyncOf } from './sync.ts';
import { offsetMinutes } from './wire.ts';

/** Estimated from the person's age. */
export function highestHeartRate({ birthDate }: Person, date: string): number {
  return Math.round(208 - 0.7 * (Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4))));
}

/** The current body data: the last weight measurement within two months, and today's other values. A correction raises the weight slightly. */
export function physicalInfo(frame: Frame, life: Life): Record<string, unknown> {
  const { person, dayOf } = life;
  const today = dateAt(person, frame.now());
  const { restingHeartRate, vo2Max, start } = dayOf(today);
  const weighed = Array.from({ length: 60 }, (_, back) => addDays(today, -back))
    .flatMap((date) => {
      const { body } = dayOf(date);
      const seen = body && frame.visible({ person: person.id, kind: 'body', key: date }, body.at);
      return body && seen ? [{ weightKg: body.weightKg, ...seen }] : [];
    })
    .at(0);
  return {
    ...(weighed && { weight: weighed.weightKg + 0.1 * weighed.revision, weight_source: 'MEASURED' }),
    height: person.heightM * 100,
    resting_heart_rate: restingHeartRate,
    maximum_heart_rate: highestHeartRate(person, today),
    vo2_max: vo2Max,
    // Heart rate and VO2 max change every day, even without a weight measurement.
    modified: new Date(Math.max(weighed?.updatedAt ?? start, start)).toISOString(),
  };
}

/** Cardio load on a date, and in the week and month before it. Polar's formula is not public. */
export function cardioLoad(frame: Frame, life: Life, date: string): Record<string, unknown> | null {
  if (!lastSyncOf(frame, life, life.dayOf(date))) return null;
  const mean = (days: number): number =>
    Array.from({ length: days }, (_, back) => loadOn(life, addDays(date, -back))).reduce(
      (sum, load) => sum + load / days,
      0,
    );
  const [strain, tolerance] = [mean(7), mean(28)];
  const ratio = strain / Math.max(1, tolerance);
  return {
    date,
    cardio_load: loadOn(life, date),
    cardio_load_status: ratio < 0.8 ? 'DETRAINING' : ratio < 1.2 ? 'MAINTAINING' : 'PRODUCTIVE',
    strain: Math.round(10 * strain) / 10,
    tolerance: Math.round(10 * tolerance) / 10,
  };
}

/** Minutes of workouts, weighted by zone. */
function loadOn({ dayOf }: Life, date: string): number {
  const seconds = dayOf(date).workouts.flatMap(({ zoneSeconds }) =>
    zoneSeconds.map((inZone, index) => inZone * (index + 1)),
  );
  return Math.round(seconds.reduce((sum, each) => sum + each, 0) / 60);
}

/** The skin temperature of a night, and its deviation from the usual. */
export function skinTemperature({ day, sleep }: SeenNight): Record<string, unknown> {
  return {
    sleep_time_skin_temperature_celsius: sleep.skinTemperatureC,
    deviation_from_baseline_celsius: day.temperatureDeviationC,
    sleep_date: day.date,
  };
}

/** A blood oxygen test that the person takes after waking up. */
export function oxygenTest({ day, sleep }: SeenNight): Record<string, unknown> {
  return {
    blood_oxygen_percent: sleep.bloodOxygenPercent,
    test_time: sleep.end / 1000,
    time_zone_offset: offsetMinutes(sleep.end, day.timezone),
  };
}
