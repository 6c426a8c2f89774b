import type { LocalDays } from '@tributary/rig';
import type { TestUser, World } from '../world.ts';

/** A session with its sort position in a list. */
export interface Listed extends Record<string, unknown> {
  startMs: number;
}

/** Reads all pages of a Form 2 list. */
export async function readPages(
  world: World,
  who: TestUser,
  list: 'sleep' | 'workouts',
  dates: readonly string[],
  limit: number,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let query = `from_date=${dates[0]}&to_date=${dates.at(-1)}&limit=${limit}&include_sources=true`;
  for (;;) {
    const page = await world.get(who, `${list}?${query}`);
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    query = `cursor=${page.next_cursor}`;
  }
}

/** Sorts sessions as the API does, newest first. Those with the same start are ordered by id in the API, so they are sorted by content here. */
export function newestFirst<S extends { startMs: number }>(
  sessions: readonly S[],
  format: (session: S) => object,
): object[] {
  return sessions
    .map((session) => ({ startMs: session.startMs, row: format(session), text: '' }))
    .map((one) => ({ ...one, text: JSON.stringify(one.row) }))
    .sort((a, b) => b.startMs - a.startMs || (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}

/** Sorts rows by content. Local start times do not sort the rows of a day on which the clock went back. */
export function byContent(rows: readonly object[]): object[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Whether Form 1 rows run from the latest day to the earliest, and within a day from the latest start to the earliest. */
export function isNewestFirst(rows: readonly Record<string, unknown>[]): boolean {
  const places = rows.map(({ date, start }) => `${String(date)} ${String(start)}`);
  return places.every((place, at) => at === 0 || place <= places[at - 1]!);
}

/** A row without the id, which only the service knows, and without the fields added for sorting. */
export function withoutId(row: Record<string, unknown>): object {
  const { id: _, startMs: __, ...rest } = row;
  return rest;
}

/** The local time of day. */
export function clockTime(days: LocalDays, instantMs: number): string {
  const date = days.shownDateOf(instantMs);
  const localMs = Date.parse(`${date}T00:00:00Z`) + days.minutesFrom(date, instantMs) * 60_000;
  return new Date(localMs).toISOString().slice(0, 19);
}
