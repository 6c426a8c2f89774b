import type { UserModel } from '../model/user-model.ts';
import { rounded, shown, type Units } from '../model/shown.ts';
import { traceOf, zonesOf, type ModelWorkout } from '../model/workouts.ts';
import type { Persona } from '../people/personas.ts';
import type { TestUser, World } from '../world.ts';
import { byContent, clockTime, isNewestFirst, newestFirst, readPages, withoutId } from './compare-lists.ts';
import type { Comparison } from './differences.ts';

/** Compares the list of workouts in both forms. */
export async function compareWorkouts(
  world: World,
  who: TestUser,
  persona: Persona,
  model: UserModel,
  dates: readonly string[],
  limit: number,
  comparison: Comparison,
): Promise<void> {
  const inRange = model.workouts.filter(({ date }) => date >= dates[0]! && date <= dates.at(-1)!);
  const pages = await readPages(world, who, 'workouts', dates, limit);
  const expected = newestFirst(inRange, (workout) => form2(workout, model));
  const actual = pages.map((row) => ({ ...row, startMs: Date.parse(`${String(row['start_time'])}Z`) }));
  comparison.sameList('workouts, Form 2', byContent(expected), byContent(newestFirst(actual, withoutId)));

  for (const units of ['metric', 'imperial'] as const) {
    const query = `start_date=${dates[0]}&end_date=${dates.at(-1)}&unit_system=${units}&include_sources=true`;
    const read = `workouts, Form 1, ${units}`;
    const rows: Record<string, unknown>[] = [];
    for (let page = 1; rows.length < inRange.length; page += 1) {
      const response = await world.get(who, `workouts?${query}&page=${page}&per_page=${limit}`);
      comparison.same(read, 'meta', { page, per_page: limit, total: inRange.length }, response.meta);
      rows.push(...response.data);
      if (response.data.length === 0) break;
    }
    const wanted = newestFirst(inRange, (workout) => form1(workout, model, persona, units));
    comparison.sameList(
      read,
      wanted,
      newestFirst(
        rows.map((row) => ({ ...row, startMs: Date.parse(String(row['start'])) })),
        withoutId,
      ),
    );
    comparison.same(read, 'newest first', true, isNewestFirst(rows));
    comparison.same(
      read,
      'ids, as in Form 2',
      pages.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
  }
}

function figuresOf(workout: ModelWorkout) {
  const { values } = workout.content;
  const trace = traceOf(workout);
  return {
    trace,
    minutes: rounded(values['duration'] ?? (workout.endMs - workout.startMs) / 60_000, 0),
    average: shown('heart_rate_avg', values['heart_rate_avg'] ?? trace?.mean),
    highest: shown('heart_rate_max', values['heart_rate_max'] ?? trace?.max),
  };
}

function form2(workout: ModelWorkout, { days }: UserModel): object {
  const { device, startMs, content } = workout;
  const { minutes, average, highest } = figuresOf(workout);
  return {
    type: content.sport,
    start_time: clockTime(days, startMs),
    duration_minutes: minutes,
    calories: shown('active_calories', content.values['active_calories']),
    distance_km: shown('distance', content.values['distance']),
    source: device.provider,
    avg_heart_rate: average,
    max_heart_rate: highest,
    strain: null,
    source_detail: sourceOf(device),
  };
}

function form1(workout: ModelWorkout, model: UserModel, persona: Persona, units: Units): object {
  const { device, startMs, endMs, date, content } = workout;
  const { trace, minutes, average, highest } = figuresOf(workout);
  const zones = trace && zonesOf(trace, maxHeartRateOn(date, model, persona));
  return {
    date,
    sport_type: content.sport,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    duration: minutes,
    distance: shown('distance', content.values['distance'], units),
    active_calories: shown('active_calories', content.values['active_calories']),
    heart_rate_avg: average,
    heart_rate_max: highest,
    heart_rate_zones:
      zones && Object.fromEntries(zones.map((inZone, at) => [`zone_${at + 1}`, shown('zone_1', inZone)])),
    elevation_gain: shown('elevation_gain', content.values['elevation_gain']),
    source: sourceOf(device),
  };
}

/** The value from the profile, else the highest of the last 180 days if it is close to the age-predicted maximum, else that prediction. */
function maxHeartRateOn(date: string, { canonicalValues }: UserModel, { profile }: Persona): number {
  if (profile.max_heart_rate !== undefined) return profile.max_heart_rate;
  const predicted =
    profile.birth_date === undefined ? 185 : 208 - 0.7 * completedYears(profile.birth_date, date);
  let highest = 0;
  for (let back = 0; back < 180; back += 1) {
    const day = new Date(Date.parse(date) - back * 86_400_000).toISOString().slice(0, 10);
    const canonicalValue = canonicalValues.get(`${day} heart_rate_max`);
    if (canonicalValue) highest = Math.max(highest, shown('heart_rate_max', canonicalValue.micros / 1e6)!);
  }
  return highest >= 0.85 * predicted ? highest : predicted;
}

function completedYears(birth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birth.slice(0, 4));
  return date.slice(5) < birth.slice(5) ? years - 1 : years;
}

function sourceOf({ provider, id }: ModelWorkout['device']): object {
  return { provider, device_id: id, original_value: null, original_unit: null };
}
