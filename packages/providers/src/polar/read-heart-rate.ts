import { fieldsOf, listOf, textOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { getJson } from './get-json.ts';
import type { HeartRateDocument } from './map-heart-rate.ts';
import { ifAllowed, listNights } from './read-nights.ts';
import { offsetOfMinutes } from './wire.ts';
import { daysAfter, availableWindows } from './windows.ts';

/** The heart rate of the dates of a span, each with nearby times that have an offset. */
export async function* readHeartRates(api: UserApi, span: Span): AsyncGenerator<Documents> {
  let times: string[] | null = null;
  for (const window of availableWindows(span, api.now())) {
    const response = await getJson(api, '/users/continuous-heart-rate', { ...window });
    const days = listOf(fieldsOf(response)['heart_rates']);
    if (days.length === 0) continue;
    times ??= await listKnownTimes(api);
    yield days.map((day) => withTimes(day, times ?? []));
  }
}

/** The heart rate of a date. */
export async function readHeartRate(api: UserApi, date: string): Promise<Documents> {
  const day = await getJson(api, `/users/continuous-heart-rate/${encodeURIComponent(date)}`);
  return day === null ? [] : [withTimes(day, await listKnownTimes(api))];
}

/** Nights and exercises include the clock's offset. */
async function listKnownTimes(api: UserApi): Promise<string[]> {
  const nights = await listNights(api);
  const exercises = listOf(await ifAllowed(getJson(api, '/exercises'))).map(fieldsOf);
  const times = [
    ...nights.flatMap((night) => [textOf(night['sleep_start_time']), textOf(night['sleep_end_time'])]),
    ...exercises.map((exercise) => {
      const [start, offset] = [
        textOf(exercise['start_time']),
        offsetOfMinutes(exercise['start_time_utc_offset']),
      ];
      return start !== null && offset !== null ? `${start}${offset}` : null;
    }),
  ];
  return times.filter((time) => time !== null).sort();
}

/** Those of the date and its neighbors. If there are none, the nearest earlier one, otherwise the nearest later one. */
function withTimes(day: unknown, times: readonly string[]): HeartRateDocument {
  const date = textOf(fieldsOf(day)['date']) ?? '';
  if (Number.isNaN(Date.parse(date))) return { day, known_times: [] };
  const [before, after] = [daysAfter(date, -1), daysAfter(date, 2)];
  const near = times.filter((time) => before <= time && time < after);
  const nearest = times.findLast((time) => time < before) ?? times.find((time) => time >= after);
  return { day, known_times: near.length > 0 ? near : nearest === undefined ? [] : [nearest] };
}
