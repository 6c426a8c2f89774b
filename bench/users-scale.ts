/** Reading users costs the same in an account with a million users as in one with a thousand, in the same table. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sealCursor } from '@tributary/server/testing/credentials';
import { parseId } from '@tributary/server/testing/ids';
import {
  Client,
  limitRunTime,
  median,
  progress,
  quantile,
  renderTable,
  Report,
  type RunAccount,
  startRunStack,
} from '@tributary/rig';

const most = 1.5;
const short = process.argv.includes('--short');
const large = short ? 50_000 : 1_000_000;
const small = 1_000;
const samples = short ? 200 : 400;
const pageSize = 100;

interface Account {
  uuid: string;
  key: string;
  users: number;
  /** A cursor for a page near the end of the list. */
  cursor: string;
}

/** A read, and a check of its response: a wrong response may well be fast. */
interface Read {
  title: string;
  path: (account: Account) => string;
  isRight: (body: Body, account: Account) => boolean;
}

interface Body {
  data: { reference_id?: string; external_ref?: string }[];
  next_cursor?: string | null;
  meta?: { total: number };
}

const reads: Read[] = [
  {
    title: 'first page of 100',
    path: () => `/v1/users?limit=${pageSize}`,
    isRight: ({ data, next_cursor }, { users }) =>
      data.length === pageSize && Boolean(next_cursor) && referenceOf(data[0]) === `ref-${users}`,
  },
  {
    title: 'page of 100 near the end',
    path: ({ cursor }) => `/v1/users?limit=${pageSize}&cursor=${cursor}`,
    isRight: ({ data }) => data.length === pageSize && referenceOf(data[0]) === `ref-${2 * pageSize}`,
  },
  {
    title: 'numbered page with total',
    path: () => '/v1/users?page=1',
    isRight: ({ data, meta }, { users }) => data.length === 20 && meta?.total === users,
  },
  {
    title: 'one user by reference',
    path: ({ users }) => `/v1/users?reference_id=ref-${1 + Math.floor(Math.random() * users)}`,
    isRight: ({ data }) => data.length === 1,
  },
];

const report = new Report();
limitRunTime(15);
await using running = await startRunStack(1);
using client = new Client();
const { keyring } = running;

// Both lists cover the same time span, so that neither is contiguous in an index by time.
const few = await fill('Small', small);
const baseline = await measure([few]);
const many = await fill('Large', large);
await analyze();
const together = await measure([few, many]);

const rows = reads.map(({ title }, at) => {
  const [before, beside, big] = [baseline[0]?.[at] ?? [], together[0]?.[at] ?? [], together[1]?.[at] ?? []];
  const ratio = median(big) / median(beside);
  report.bound(
    `${title}: ${large} vs. ${small} users`,
    `${ratio.toFixed(2)} ×`,
    `≤ ${most} ×`,
    ratio <= most,
  );
  // Without this bound, a large neighbor that slows everyone down would pass. It is wide, because the two were measured at different times.
  const neighbor = median(beside) / median(before);
  report.bound(
    `${title}: ${small} next to ${large}, vs. ${small} only`,
    `${neighbor.toFixed(2)} ×`,
    `≤ ${2 * most} ×`,
    neighbor <= 2 * most,
  );
  return [title, describe(before), describe(beside), describe(big)];
});
console.log(
  `\n${renderTable(['median (p90), ms', `${small} only`, `${small} next to ${large}`, String(large)], rows)}`,
);
report.print(`Users: ${samples} samples of each read, interleaved`);

function referenceOf(user: Body['data'][number] | undefined): string | undefined {
  return user?.external_ref ?? user?.reference_id;
}

function describe(ms: readonly number[]): string {
  return `${median(ms).toFixed(2)} (${quantile(ms, 0.9).toFixed(2)})`;
}

/** Creates an account with this number of users over the last 30 days, with ids as the service generates them. */
async function fill(name: string, users: number): Promise<Account> {
  progress(`inserting ${users} users`);
  const { account_id, live_key } = await running.tributary<RunAccount>('account', 'create', '--name', name);
  const uuid = parseId('acc', account_id) ?? '';
  const batch = 100_000;
  for (let from = 1; from <= users; from += batch) {
    await running.admin.query(
      `INSERT INTO users (id, account_id, environment, reference_id, timezone, created_at)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::int8), 12, '0') || '7' || substr(md5(random()::text), 1, 3) ||
               '8' || substr(md5(random()::text), 1, 15))::uuid,
              $1, 'live', 'ref-' || number, 'Europe/Vienna', at
       FROM (SELECT number, now() - interval '30 days' * (1 - number::float8 / $4) AS at
             FROM generate_series($2::int, $3::int) AS number) AS made`,
      [uuid, from, Math.min(users, from + batch - 1), users],
    );
  }
  const counted = await running.admin.query<{ listed: number; total: number }>(
    `SELECT (SELECT count(*) FROM users WHERE account_id = $1) AS listed,
            (SELECT sum(active)::int8 FROM user_counts WHERE account_id = $1) AS total`,
    [uuid],
  );
  const { listed, total } = counted.rows[0] ?? {};
  report.bound(
    `${name}: users inserted, counted`,
    `${listed}, ${total}`,
    String(users),
    listed === users && total === users,
  );
  const place = await running.admin.query<{ id: string }>(
    `SELECT id FROM users WHERE account_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [uuid, 2 * pageSize],
  );
  const tenant = { accountId: uuid, environment: 'live' } as const;
  const cursor = sealCursor(keyring, 'users', tenant, [place.rows[0]?.id ?? '', pageSize]);
  return { uuid, key: live_key, users, cursor };
}

/** Does what autovacuum would do within minutes. */
async function analyze(): Promise<void> {
  progress('VACUUM and ANALYZE');
  await running.admin.query('VACUUM (ANALYZE) users');
  await running.admin.query('VACUUM (ANALYZE) user_counts');
}

/** Milliseconds by account and read. Reads of all accounts alternate, in changing order, below the rate limit. */
async function measure(accounts: readonly Account[]): Promise<number[][][]> {
  progress(`measuring ${accounts.map(({ users }) => users).join(' and ')} users`);
  const node = running.api[0]?.baseUrl ?? '';
  const times = accounts.map(() => reads.map((): number[] => []));
  for (let round = -samples / 4; round < samples; round += 1) {
    const paced = sleep(reads.length * 12);
    for (const [at, read] of reads.entries()) {
      for (let step = 0; step < accounts.length; step += 1) {
        const which = (step + Math.abs(round)) % accounts.length;
        const account = accounts[which];
        if (!account) continue;
        const outcome = await client.send({ node, path: read.path(account), key: account.key });
        const right = outcome.status === 200 && read.isRight(JSON.parse(outcome.body) as Body, account);
        if (!right) throw new Error(`${read.title}: ${outcome.status} ${outcome.body.slice(0, 300)}`);
        if (round >= 0) times[which]?.[at]?.push(outcome.durationMs);
      }
    }
    await paced;
  }
  return times;
}
