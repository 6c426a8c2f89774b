import { randomUUID } from 'node:crypto';
import { type RunStack, startRunStack } from '@tributary/rig';
import { createSecretToken, hashSecret } from '@tributary/server/testing/credentials';
import { fillDays, makeUsers, tenMetrics, type Account } from '../reads/fill.ts';
import { listPeople, type Person } from '../reads/people.ts';

export const poolSize = 10;
/** Each key is used at most 60 times a second, so this is enough for 18,000 requests a second. */
const accountCount = 300;
const usersPerAccount = 4;

/** One commit's service on private engines, with data. */
export interface Side extends AsyncDisposable {
  name: string;
  url: string;
  readonly pid: number;
  /** Replaces the serving process with a new one. */
  restart: () => Promise<void>;
  databaseUrl: string;
  people: readonly Person[];
}

/** Starts a side and fills its database with statements that fit the schemas of both commits. */
export async function startSide(name: string, program: string): Promise<Side> {
  await using resources = new AsyncDisposableStack();
  const env = { DATABASE_POOL_SIZE: String(poolSize), LOG_LEVEL: 'warn' };
  const run = resources.use(await startRunStack(['api'], env, { program, isOtherVersion: true }));
  const accounts = await createAccounts(run, accountCount);
  await makeUsers(run, accounts, 1, usersPerAccount);
  await fillDays(run, accounts, { from: 1, to: usersPerAccount, days: 90, of: tenMetrics });
  const people = await listPeople(run, accounts);
  await run.admin.query('VACUUM (ANALYZE)');
  await run.admin.query('CHECKPOINT');
  const node = run.api[0]!;
  const owned = resources.move();
  return {
    name,
    url: run.stack.info.base_url,
    get pid() {
      return node.pid!;
    },
    async restart() {
      await node.stop();
      await node.start();
    },
    databaseUrl: run.stack.engines.databaseUrl,
    people,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Creates one account with the program's own command and copies its rows, so that columns added in other commits have valid values. */
async function createAccounts({ tributary, admin }: RunStack, count: number): Promise<Account[]> {
  const name = 'Comparison';
  await tributary('account', 'create', '--name', name);
  const accounts = Array.from({ length: count }, () => ({
    uuid: randomUUID(),
    key: createSecretToken('sk_live_'),
  }));
  const ids = accounts.map(({ uuid }) => uuid);
  await admin.query(
    `INSERT INTO accounts SELECT copy.* FROM accounts a, unnest($2::uuid[]) AS new_id,
       jsonb_populate_record(a, jsonb_build_object('id', new_id)) AS copy WHERE a.name = $1`,
    [name, ids],
  );
  await admin.query(
    `INSERT INTO api_keys SELECT copy.* FROM accounts a JOIN api_keys k ON k.account_id = a.id AND k.environment = 'live',
       unnest($2::uuid[], $3::text[]) AS new (account_id, hash),
       jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'account_id', new.account_id, 'hash', new.hash)) AS copy
     WHERE a.name = $1 AND a.id <> ALL ($2)`,
    [name, ids, accounts.map(({ key }) => `\\x${hashSecret(key).toString('hex')}`)],
  );
  return accounts;
}
