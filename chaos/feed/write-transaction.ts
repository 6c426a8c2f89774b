import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@tributary/server/testing/database';
import { type Event, insertEvents } from '@tributary/server/testing/events';
import { type FeedTenant, type Ledger, uuidOf } from '@tributary/rig';

/** The content and outcome of one transaction. */
export interface PlannedTransaction {
  writer: number;
  /** The tenant of each event, by index. */
  tenants: readonly number[];
  /** Pause between its last row and its end. */
  pauseMs: number;
  rollsBack: boolean;
}

/** Writes events in one transaction, each also into the table that naive readers follow. */
export async function writeTransaction(
  session: Queryable,
  ledger: Ledger,
  tenants: readonly FeedTenant[],
  { writer, tenants: chosen, pauseMs, rollsBack }: PlannedTransaction,
): Promise<void> {
  const numbers = chosen.map((tenant) => ledger.add(tenant, writer));
  const events = numbers.map((number, at) => toEvent(number, tenants[chosen[at]!]!));
  await session.query({ text: 'BEGIN' });
  await insertEvents(session, events);
  await session.query({
    name: 'proof/insert',
    text: 'INSERT INTO proof_events (id) SELECT unnest($1::uuid[])',
    values: [events.map(({ id }) => id)],
  });
  await sleep(pauseMs);
  if (rollsBack) {
    await session.query({ text: 'ROLLBACK' });
    ledger.rolledBack += numbers.length;
    return;
  }
  const { command } = await session.query({ text: 'COMMIT' });
  if (command !== 'COMMIT') throw new Error('a transaction of the proof failed');
  ledger.commit(numbers);
}

function toEvent(number: number, { accountId, environment }: FeedTenant): Event {
  const id = uuidOf(number);
  return {
    id,
    accountId,
    environment,
    userId: id,
    type: 'data.updated',
    deviceId: null,
    metrics: [1, 2],
    data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
  };
}
