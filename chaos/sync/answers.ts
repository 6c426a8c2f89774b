import { forEachOf } from '../reads/world.ts';
import { withoutScores } from '../reads/without-scores.ts';
import { ask, type Member, type World } from './world.ts';

/** The values that the service returns for a user, as text by date and metric or by session. */
export type Answers = ReadonlyMap<string, string>;

export interface Dates {
  from: string;
  to: string;
}

export interface Difference {
  person: string;
  what: string;
  expected: string;
  found: string;
}

/** Reads daily values, sleep and workouts of all members. */
export async function readAnswers(
  world: World,
  members: readonly Member[],
  datesOf: (member: Member) => Dates,
): Promise<Map<string, Answers>> {
  const answers = new Map<string, Answers>();
  await forEachOf(members, 4, async (member) => {
    const told = new Map<string, string>();
    const dates = datesOf(member);
    await readDaily(world, member, dates, told);
    await readSessions(world, member, 'sleep', dates, told);
    await readSessions(world, member, 'workouts', dates, told);
    answers.set(member.person, told);
  });
  return answers;
}

/** Lists all differences between two readings of a user. */
export function compareAnswers(person: string, expected: Answers, found: Answers): Difference[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((what) => {
    const [right, given] = [expected.get(what) ?? 'nothing', found.get(what) ?? 'nothing'];
    return right === given ? [] : [{ person, what, expected: right, found: given }];
  });
}

async function readDaily(
  world: World,
  { id }: Member,
  { from, to }: { from: string; to: string },
  told: Map<string, string>,
): Promise<void> {
  const columns = withoutScores(
    await ask(world, 'GET', `/v1/users/${id}/daily?from_date=${from}&to_date=${to}&include_sources=true`),
  ) as { dates: string[]; series: Record<string, unknown[]>; sources: Record<string, unknown[]> };
  for (const [metric, values] of Object.entries(columns.series))
    for (const [at, value] of values.entries())
      if (value !== null)
        told.set(
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
  told: Map<string, string>,
): Promise<void> {
  let query = `from_date=${from}&to_date=${to}&limit=100&include_sources=true`;
  for (;;) {
    const page = (await ask(world, 'GET', `/v1/users/${id}/${list}?${query}`)) as unknown as SessionPage;
    for (const row of page.data) {
      const whole =
        list === 'workouts' ? await ask(world, 'GET', `/v1/users/${id}/workouts/${row.id}`) : { ...row };
      let place = `${list} ${row.start_time} ${row.source}`;
      while (told.has(place)) place += ' again';
      told.set(place, textOf(withoutScores(whole)));
    }
    if (page.next_cursor === null) return;
    query = `cursor=${page.next_cursor}`;
  }
}

/** Omits ids, which differ between users. */
function textOf(value: object): string {
  return JSON.stringify(value, (name, inner: unknown) =>
    name === 'id' || name === 'device_id' ? undefined : inner,
  );
}
