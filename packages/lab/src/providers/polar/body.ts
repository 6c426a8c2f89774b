import { dateAt } from '../../people/local-time.ts';
import type { Person } from '../../people/person.ts';
import type { Frame } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import type { Life } from '../life.ts';
import type { SeenNight } from './night.ts';
import { toldOf } from './sync.ts';
import { offsetMinutes } from './wire.ts';

/** By the years of the person, as long as nobody says otherwise. */
export function highestHeartRate({ birthDate }: Person, date: string): number {
  return Math.round(208 - 0.7 * (Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4))));
}

/** The body as it is now: what the scale showed last within two months, and the rest of the day. A corrected weighing is a little more. */
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
    // Heart and oxygen are another every day, also when nobody was weighed.
    modified: new Date(Math.max(weighed?.updatedAt ?? start, start)).toISOString(),
  };
}

/** How hard the heart worked on a date, in the week and in the month before it. How Polar reckons it is its own. */
export function cardioLoad(frame: Frame, life: Life, date: string): Record<string, unknown> | null {
  if (!toldOf(frame, life, life.dayOf(date))) return null;
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

/** Minutes of workouts, those of higher zones more. */
function loadOn({ dayOf }: Life, date: string): number {
  const seconds = dayOf(date).workouts.flatMap(({ zoneSeconds }) =>
    zoneSeconds.map((inZone, index) => inZone * (index + 1)),
  );
  return Math.round(seconds.reduce((sum, each) => sum + each, 0) / 60);
}

/** The skin of a night, and how it differs from the usual. */
export function skinTemperature({ day, sleep }: SeenNight): Record<string, unknown> {
  return {
    sleep_time_skin_temperature_celsius: sleep.skinTemperatureC,
    deviation_from_baseline_celsius: day.temperatureDeviationC,
    sleep_date: day.date,
  };
}

/** A test of oxygen, which the person takes on waking. */
export function oxygenTest({ day, sleep }: SeenNight): Record<string, unknown> {
  return {
    blood_oxygen_percent: sleep.bloodOxygenPercent,
    test_time: sleep.end / 1000,
    time_zone_offset: offsetMinutes(sleep.end, day.timezone),
  };
}
