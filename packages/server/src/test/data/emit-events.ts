import { randomUUID } from 'node:crypto';
import { formatId } from '../../ids.ts';
import { runSequencer } from '../../jobs/sequencer.ts';
import { insertEvents, type Event } from '../../store/events/events.ts';
import type { TestAccount, TestApp } from '../apps/test-app.ts';

/** Assigns positions to events as they arrive, as the jobs role does. */
export function startSequencing({ ctx }: TestApp): AsyncDisposable {
  return runSequencer(ctx);
}

/** Writes events in this order and returns their UUIDs. The sequencer assigns their positions. */
export async function insertTestEvents(
  { ctx }: TestApp,
  account: TestAccount,
  changes: readonly Partial<Event>[],
): Promise<string[]> {
  const events = changes.map((change) => ({
    id: ctx.newId(),
    accountId: account.uuid,
    environment: 'live' as const,
    userId: randomUUID(),
    type: 'data.updated' as const,
    deviceId: null,
    metrics: [],
    data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
    ...change,
  }));
  await insertEvents(ctx.operator, events);
  return events.map(({ id }) => id);
}

/** Writes events and returns their IDs as clients see them. The sequencer assigns their positions a little later. */
export async function emitEvents(
  app: TestApp,
  account: TestAccount,
  count: number,
  change: Partial<Event> = {},
): Promise<string[]> {
  const ids = await insertTestEvents(app, account, Array<Partial<Event>>(count).fill(change));
  return ids.map((id) => formatId('evt', id));
}
