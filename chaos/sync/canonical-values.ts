import { forEachOf } from '@tributary/rig';
import { withoutScores } from '../reads/without-scores.ts';
import { request, type Member, type World } from './world.ts';

/** The values that the service returns for a user, as text by date and metric or by session. */
export type CanonicalValues = ReadonlyMap<string, string>;

export interface Dates {
  from: string;
  to: string;
}

export interface Difference {
  person: string;
  what: string;
  expected: string;
  actual: string;
}

/** Reads daily values, sleep and workouts of all members. */
export async function readCanonicalValues(
  world: World,
  members: readonly Member[],
  datesOf: (member: Member) => Dates,
): Promise<Map<string, CanonicalValues>> {
  const valuesByPerson = new Map<string, CanonicalValues>();
  await forEachOf(members, 4, async (member) => {
    const values = new Map<string, string>();
    const dates = datesOf(member);
    await readDaily(world, member, dates, values);
    await readSessions(world, member, 'sleep', dates, values);
    await readSessions(world, member, 'workouts', dates, values);
    valuesByPerson.set(member.person, values);
  });
  return valuesByPerson;
}

/** Lists all differences between two readings of a user. */
export function compareCanonicalValues(
  person: string,
  expected: CanonicalValues,
  actual: CanonicalValues,
): Difference[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((what) => {
    const [right, actualText] = [expected.get(what) ?? 'nothing', actual.get(what) ?? 'nothing'];
    return right === actualText ? [] : [{ person, what, expected: right, actual: actualText }];
  });
}

async function readDaily(
  world: World,
  { id }: Member,
  { from, to }: { from: string; to: string },
  canonicalValues: Map<string, string>,
): Promise<void> {
  const columns = withoutScores(
    await request(world, 'GET', `/v1/users/${id}/daily?from_date=${from}&to_date=${to}&include_sources=true`),
  ) as { dates: string[]; series: Record<string, unknown[]>; sources: Record<string, unknown[]> };
  for (const [metric, values] of Object.entries(columns.series))
    for (const [at, value] of values.entries())
      if (value !== null)
        canonicalValues.set(
          `${columns.dates[at]} ${metric}`,
          textOf({ value, source: columns.sources[metric]?.[at] ?? null }),
        );
}

interface SessionPage {
  data: { id: string; start_time: string; source: string }[];
  next_cursor: string | null;
}

async function readSessions(
  world: World,
  { id }: Member,
  list: 'sleep' | 'workouts',
  { from, to }: { from: string; to: string },
  values: Map<string, string>,
): Promise<void> {
  let query = `from_date=${from}&to_date=${to}&limit=100&include_sources=true`;
  for (;;) {
    const page = (await request(world, 'GET', `/v1/users/${id}/${list}?${query}`)) as unknown as SessionPage;
    for (const row of page.data) {
      const whole =
        list === 'workouts' ? await request(world, 'GET', `/v1/users/${id}/workouts/${row.id}`) : { ...row };
      let place = `${list} ${row.start_time} ${row.source}`;
      while (values.has(place)) place += ' again';
      values.set(place, textOf(withoutScores(whole)));
    }
    if (page.next_cursor === null) return;
    query = `cursor=${page.next_cursor}`;
  }
}

/**
 * Omits ids, which differ between users, and coverage, which includes readings from the removed part of a sleep that was shortened. Those have
 * no id by which they could be deleted.
 */
function textOf(value: object): string {
  return JSON.stringify(value, (name, inner: unknown) =>
    name === 'id' || name === 'device_id' || name === 'coverage' ? undefined : inner,
  );
}
