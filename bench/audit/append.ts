import { setTimeout as sleep } from 'node:timers/promises';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';
import { record } from '@tributary/server/testing/audit';
import {
  actingByItself,
  type ActingForAccount,
  inTransaction,
  type Queryable,
} from '@tributary/server/testing/database';
import type { RunStack } from '@tributary/rig';

const newId = createIdSource(systemClock);

/** How entries are written: entries per transaction and number of connections. */
export interface Shape {
  title: string;
  perTransaction: number;
  connections: number;
}

export interface Appended {
  /** Rate until the last entry was chained, or written if the table is not chained. */
  perSecond: number;
  /** The maximum number of entries waiting to be chained, and the time until all were chained after the last write. */
  mostWaiting: number;
  drainedMs: number;
}

/** Creates tables that no process chains, for the same statements. Sessions with `bare` first in their search path write there. */
export async function createBareTables({ admin }: RunStack): Promise<void> {
  await admin.query(`
    DROP SCHEMA IF EXISTS bare CASCADE;
    CREATE SCHEMA bare;
    CREATE TABLE bare.audit_intake (LIKE public.audit_intake INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id))
      WITH (vacuum_truncate = off);
    GRANT USAGE ON SCHEMA bare TO tributary_operator;
    GRANT ALL ON bare.audit_intake TO tributary_operator;`);
}

/** Records entries for these accounts for a while, and waits until all are chained. */
export async function append(
  { admin }: RunStack,
  pool: RunStack['admin'],
  accounts: readonly string[],
  { perTransaction, connections }: Shape,
  ms: number,
): Promise<Appended> {
  let written = 0;
  let mostWaiting = 0;
  const startedAt = performance.now();
  const write = async (writer: number): Promise<void> => {
    for (let round = writer; performance.now() - startedAt < ms; round += 1) {
      const acting = actingByItself(
        { accountId: accounts[round % accounts.length]!, environment: 'live' },
        'bench',
      );
      await inTransaction(pool, (tx) => recordMany(tx, acting, perTransaction));
      written += perTransaction;
    }
  };
  const writing = Promise.all(Array.from({ length: connections }, (_, writer) => write(writer)));
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      mostWaiting = Math.max(mostWaiting, await countWaiting(admin));
      await sleep(250);
    }
  })();
  await writing;
  ended.abort();
  await watching;
  const writtenAt = performance.now();
  while ((await countWaiting(admin)) > 0) await sleep(5);
  const drainedMs = performance.now() - writtenAt;
  return { perSecond: (written / (performance.now() - startedAt)) * 1000, mostWaiting, drainedMs };
}

/** Does not count the bare table, which keeps all its entries. */
async function countWaiting(admin: RunStack['admin']): Promise<number> {
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM public.audit_intake');
  return rows[0]!.n;
}

async function recordMany(tx: Queryable, acting: ActingForAccount, count: number): Promise<void> {
  const change = {
    action: 'user.updated',
    target: { type: 'user', id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx' },
    data: { fields: ['timezone', 'reference_id'] },
  } as const;
  await Promise.all(Array.from({ length: count }, () => record({ newId }, tx, acting, change)));
}
