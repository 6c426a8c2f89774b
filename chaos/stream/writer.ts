import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@tributary/server/testing/database';
import { insertEvents } from '@tributary/server/testing/events';
import { type FeedTenant, type Ledger, type Random, type RunStack, uuidOf } from '@tributary/rig';
import { typeOf, userIdOf } from './kinds.ts';

const mostAtOnce = 8;

/** Writes small transactions at a steady rate until aborted, each for the next tenant. */
export async function writeSteadily(
  pool: RunStack['admin'],
  ledger: Ledger,
  tenants: readonly FeedTenant[],
  { perSecond, random }: { perSecond: number; random: Random },
  until: AbortSignal,
): Promise<void> {
  let dueAt = performance.now();
  while (!until.aborted) {
    await sleep(Math.max(0, dueAt - performance.now()));
    const count = random.int(1, mostAtOnce);
    // After a stall of the machine, do not catch up in a burst.
    dueAt = Math.max(dueAt, performance.now() - 1000) + (1000 * count) / perSecond;
    await writeTogether(pool, ledger, tenants, random.int(0, tenants.length - 1), count);
  }
}

/** Writes events of one tenant in a transaction. */
export async function writeTogether(
  pool: RunStack['admin'],
  ledger: Ledger,
  tenants: readonly FeedTenant[],
  tenant: number,
  count: number,
): Promise<void> {
  const { accountId, environment } = tenants[tenant]!;
  const numbers = Array.from({ length: count }, () => ledger.add(tenant, 0));
  const events = numbers.map((number) => ({
    id: uuidOf(number),
    accountId,
    environment,
    userId: userIdOf(number),
    type: typeOf(number),
    deviceId: null,
    metrics: [1, 2],
    data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
  }));
  await inTransaction(pool, (tx) => insertEvents(tx, events));
  ledger.commit(numbers);
}
