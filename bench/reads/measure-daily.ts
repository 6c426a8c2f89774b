import { median, progress, type RawRequest } from '@tributary/rig';
import { allMetrics } from './fill.ts';
import { days, getAs, getDaily, type Person } from './people.ts';
import { pgbench } from './pgbench.ts';
import { assertSame, flood } from './served.ts';
import { type KeyedRequest, SteadyKeys } from './steady-keys.ts';
import { boundRatio, noteProcessorRatio, ratios, spread, type Setting } from './setting.ts';

const kinds = ['service', 'bare', 'pgbench', 'unchanged', 'year'] as const;
type Rates = Record<(typeof kinds)[number], number[]>;
type Requests = Record<'daily' | 'bareDaily' | 'unchanged', readonly KeyedRequest[]>;

/** Measures daily reads against a bare route and against pgbench, and the cost of a 304 and of a year of all metrics. */
export async function measureDaily(setting: Setting): Promise<void> {
  const { short, accounts, people, api, bare } = setting;
  const accountAt = new Map(accounts.map(({ uuid }, at) => [uuid, at]));
  const keyed = ({ account }: Person, request: RawRequest): KeyedRequest => ({
    ...request,
    accountAt: accountAt.get(account.uuid)!,
  });
  const daily = people.map((person) => keyed(person, getDaily(person)));
  const bareDaily = people.map((person) =>
    keyed(person, { path: `/daily/${person.account.uuid}/${person.uuid}/30` }),
  );
  progress('checking that both return the same bytes');
  await assertSame(api, daily[5]!, bare, bareDaily[5]!);

  progress('warming up');
  const keys = { daily: new SteadyKeys(accounts.length), unchanged: new SteadyKeys(accounts.length) };
  await flood(bare, bareDaily, 3);
  await keys.daily.flood(api, daily, short ? 4 : 15);
  const unchanged = (await holdTags(setting)).map(([person, request]) => keyed(person, request));
  await keys.unchanged.flood(api, unchanged, 1, { status: 304 });
  const requests = { daily, bareDaily, unchanged };
  reportDaily(setting, await measureRates(setting, requests, keys), requests);
}

/** Responses per second of each kind, measured alternately. */
async function measureRates(
  { rounds, seconds, run, accounts, poolSize, usersPerAccount, withMonth, withWeek, api, bare }: Setting,
  { daily, bareDaily, unchanged }: Requests,
  keys: Record<'daily' | 'unchanged', SteadyKeys>,
): Promise<Rates> {
  const rates: Rates = { service: [], bare: [], pgbench: [], unchanged: [], year: [] };
  const wholeYear = [...withMonth, ...withWeek].map((person) =>
    getAs(person, `${person.path}/daily?${days(366)}`),
  );
  const { databaseUrl } = run.stack.engines;
  const forPgbench = { databaseUrl, accounts, usersPerAccount, connections: poolSize, seconds };
  for (let round = 1; round <= rounds; round += 1) {
    rates.bare.push(await flood(bare, bareDaily, seconds, { sent: keys.daily.select(bareDaily) }));
    rates.service.push(await keys.daily.flood(api, daily, seconds));
    rates.pgbench.push(await pgbench(forPgbench));
    rates.unchanged.push(await keys.unchanged.flood(api, unchanged, seconds, { status: 304 }));
    rates.year.push(await flood(api, wholeYear, seconds, { connections: 4 }));
    const reached = kinds.map((name) => `${name} ${Math.round(rates[name].at(-1)!)}/s`);
    progress(`round ${round} of ${rounds}: ${reached.join(', ')}`);
  }
  return rates;
}

function reportDaily(setting: Setting, rates: Rates, { daily, bareDaily, unchanged }: Requests): void {
  const { api, bare, report } = setting;
  boundRatio(
    setting,
    'daily, 10 metrics × 30 days: ratio to a bare route',
    ratios(rates.service, rates.bare),
    0.6,
    0.3,
  );
  boundRatio(
    setting,
    'daily, 10 metrics × 30 days: ratio to pgbench',
    ratios(rates.service, rates.pgbench),
    0.2,
    0.08,
  );
  const used = [api.used.get(daily), bare.used.get(bareDaily), api.used.get(unchanged)];
  report.note(
    'CPU time per request: service, bare, 304',
    `${used.map((all) => Math.round(median(all!))).join(', ')} µs`,
  );
  noteProcessorRatio(setting, 'CPU time: daily, ratio to a bare route', [api, daily], [bare, bareDaily]);
  noteProcessorRatio(setting, 'CPU time: 304, ratio to 200 responses', [api, unchanged], [api, daily]);
  report.note(
    'daily reads per second: service, bare, pgbench',
    [rates.service, rates.bare, rates.pgbench].map((all) => Math.round(median(all))).join(', '),
  );
  const cells = { month: 10 * 30, year: allMetrics.length * 366 };
  const perCell = rates.service.map((rate, at) => (rate * cells.month) / (rates.year[at]! * cells.year));
  report.bound(
    `cost of a cell in ${allMetrics.length} metrics × 366 days`,
    `${spread(perCell)} ×`,
    '≤ 0.2 × the cost with 30 days',
    median(perCell) <= 0.2,
  );
  boundRatio(
    setting,
    '304 responses: ratio to the rate of 200 responses',
    ratios(rates.unchanged, rates.service),
    2,
    1.3,
  );
}

/** Requests with the ETags of some responses of each account, fetched within the limits of the keys. */
async function holdTags({ api, people }: Setting): Promise<[Person, RawRequest][]> {
  const tagged: [Person, RawRequest][] = [];
  const byAccount = Map.groupBy(people, ({ account }) => account.uuid);
  for (let at = 0; at < 4; at += 1)
    for (const members of byAccount.values()) {
      const person = members[at]!;
      const { path, headers = {} } = getDaily(person);
      const response = await fetch(`${api.url}${path}`, { headers });
      await response.arrayBuffer();
      tagged.push([person, getDaily(person, { 'if-none-match': response.headers.get('etag')! })]);
    }
  return tagged;
}
