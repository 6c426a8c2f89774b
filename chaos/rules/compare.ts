import { comparedMetrics, type Canonical, type CatalogMetric } from './reference/canonical.ts';
import type { Device } from './reference/uploads.ts';
import type { TestUser, World } from './world.ts';

/** A value that the service and the reference do not agree on. */
export interface Difference {
  user: string;
  at: string;
  expected: string;
  actual: string;
}

/** A daily value as the service returns it. */
interface Row {
  value: number;
  /** `provider/device`, or null for derived values. */
  source: string | null;
}

/** By date and metric: `2026-03-01 steps`. */
export type Rows = Map<string, Row>;

/** The first and last date to compare. */
export interface DateRange {
  first: string;
  last: string;
}

interface DailyRow {
  date: string;
  metric: string;
  value: number;
  source: { provider: string; device_id: string } | null;
}

const minuteMs = 60_000;

export async function readRows(
  world: World,
  user: TestUser,
  { first, last }: DateRange,
  devices: readonly Device[],
): Promise<Rows> {
  const list = await world.get<{ id: string; provider: string; connected_at: string }>(user, 'devices');
  const names = new Map<string, string>();
  for (const { id, provider, connected_at: at } of list) {
    const own = devices.find((one) => one.provider === provider && one.connectedMs === Date.parse(at));
    names.set(id, own ? nameOf(own) : `${provider}, connected ${at}`);
  }
  const range = `start_date=${first}&end_date=${last}`;
  const path = `daily?metrics=${comparedMetrics.join(',')}&${range}&include_sources=true`;
  const rows = await world.get<DailyRow>(user, path);
  return new Map(
    rows.map(({ date, metric, value, source }) => [
      `${date} ${metric}`,
      { value, source: source && names.get(source.device_id)! },
    ]),
  );
}

const nameOf = ({ provider, id }: Device): string => `${provider}/${id}`;

/** Compares all values and sources of a user. Values are rounded once, so they may differ by half of the last decimal. */
export function compareRows(
  user: string,
  rows: Rows,
  { days }: Canonical,
  catalog: ReadonlyMap<string, CatalogMetric>,
): Difference[] {
  const differences: Difference[] = [];
  const keys = new Set(rows.keys());
  for (const [date, values] of days) for (const metric of values.keys()) keys.add(`${date} ${metric}`);
  for (const key of keys) {
    const [date = '', metric = ''] = key.split(' ');
    const expected = days.get(date)?.get(metric);
    const actual = rows.get(key);
    const half = 0.5 * 10 ** -catalog.get(metric)!.precision + 1e-5;
    const isEqual = expected && actual && Math.abs(expected.value - actual.value) <= half;
    const sources = expected?.contributors.map(nameOf) ?? [];
    const isSource = sources.length === 0 ? actual?.source === null : sources.includes(actual?.source ?? '');
    if (isEqual && isSource) continue;
    differences.push({
      user,
      at: key,
      expected: expected ? `${expected.value} from ${sources.join(' or ')}` : 'no value',
      actual: print(actual),
    });
  }
  return differences;
}

const print = (row: Row | undefined): string => (row ? `${row.value} from ${row.source}` : 'no value');

/** Compares two readings of the same user or of twins. */
export function compareTwins(user: string, rows: Rows, others: Rows): Difference[] {
  return [...new Set([...rows.keys(), ...others.keys()])]
    .map((at) => ({ user, at, expected: print(rows.get(at)), actual: print(others.get(at)) }))
    .filter(({ expected, actual }) => expected !== actual);
}

/** Compares the sleep sessions and workouts that the API lists. Both forms list the same nights in the same order. */
export async function compareSessions(
  world: World,
  user: TestUser,
  { first, last }: DateRange,
  { nights, workouts }: Canonical,
): Promise<Difference[]> {
  const times = await world.get<{ start: string; end: string }>(
    user,
    `sleep?start_date=${first}&end_date=${last}`,
  );
  const range = `from_date=${first}&to_date=${last}&limit=100`;
  const flags = await world.list<{ is_main_sleep: boolean }>(user, 'sleep', range);
  const sports = await world.list<{ type: string; start_time: string; duration_minutes: number }>(
    user,
    'workouts',
    range,
  );
  return [
    ...compareLists(
      user.id,
      'sleep',
      nights.map(({ startMs, endMs, isMain }) => `${startMs} ${endMs} ${isMain}`),
      times.map(
        ({ start, end }, at) => `${Date.parse(start)} ${Date.parse(end)} ${flags[at]?.is_main_sleep}`,
      ),
    ),
    ...compareLists(
      user.id,
      'workouts',
      workouts.map(
        ({ date, sport, startMs, endMs }) => `${date} ${sport} ${Math.round((endMs - startMs) / minuteMs)}`,
      ),
      sports.map(
        ({ type, start_time: at, duration_minutes: minutes }) => `${at.slice(0, 10)} ${type} ${minutes}`,
      ),
    ),
  ];
}

function compareLists(user: string, at: string, expected: string[], actual: string[]): Difference[] {
  const missing = expected.filter((one) => !actual.includes(one));
  const extra = actual.filter((one) => !expected.includes(one));
  if (missing.length + extra.length === 0 && expected.length === actual.length) return [];
  return [{ user, at, expected: missing.join('; ') || 'no more', actual: extra.join('; ') || 'no more' }];
}
