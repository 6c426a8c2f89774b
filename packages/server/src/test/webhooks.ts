import { expect, vi } from 'vitest';
import { formatId, parseId } from '../ids.ts';
import type { Event } from '../store/events/events.ts';
import { sequenceEvents } from '../store/events/feed.ts';
import { insertTestEvents } from './data/emit-events.ts';
import type { TestAccount, TestResponse, TestApp } from './apps/test-app.ts';

/** A webhook of a test's account, with a function to call its endpoints. */
export interface TestWebhook {
  id: string;
  uuid: string;
  secret: string;
  call(method: string, path?: string, body?: unknown): Promise<TestResponse>;
}

/** Registers a webhook, for all events by default. */
export async function createTestWebhook(
  app: TestApp,
  input: object = {},
  key: string = app.account.liveKey,
): Promise<TestWebhook> {
  const body = { url: 'https://example.com/hooks', events: ['*'], ...input };
  const created = await app.request('POST', '/v1/webhooks', { key, body });
  expect(created).toMatchObject({ status: 201 });
  const { id, secret } = created.body.data;
  return {
    id,
    uuid: parseId('wh', id)!,
    secret,
    call: (method, path = '', content) =>
      app.request(method, `/v1/webhooks/${id}${path}`, {
        key,
        ...(content === undefined ? {} : { body: content }),
      }),
  };
}

/** Creates a user by SQL and returns its UUID. */
export async function insertTestUser(app: TestApp, account: TestAccount): Promise<string> {
  const id = app.ctx.newId();
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id) VALUES ($1, $2, 'live', $3)`,
    [id, account.uuid, id],
  );
  return id;
}

/** Emits events of a user and sequences them into the feed with their deliveries; returns their IDs in API format. */
export async function emitEvents(
  app: TestApp,
  account: TestAccount,
  userId: string,
  types: readonly Event['type'][],
): Promise<string[]> {
  const ids = await insertTestEvents(
    app,
    account,
    types.map((type) => ({ userId, type, data: {} })),
  );
  const waiting = async () => {
    while ((await sequenceEvents(app.ctx.operator, '0', 1000)).events > 0);
    return (await app.admin.query('SELECT FROM events LIMIT 1')).rowCount;
  };
  // Other tests on the same engine may delay it.
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 20 });
  return ids.map((id) => formatId('evt', id));
}

/** Sets the state of a webhook's deliveries, as the dispatchers record it. */
export async function setDeliveryState(
  app: TestApp,
  { uuid }: TestWebhook,
  eventIds: readonly string[],
  state: 'pending' | 'succeeded' | 'failed' | 'merged',
  change: { attempts?: object[]; tries?: number; mergedInto?: string } = {},
): Promise<void> {
  const { attempts = [], tries = 1, mergedInto } = change;
  await app.admin.query(
    `UPDATE deliveries SET state = $3, attempts = attempts || $4::jsonb, tries = $5, merged_into = $6,
       due_at = CASE WHEN $3 = 'pending' THEN tributary_now() + interval '10 hours' ELSE due_at END,
       ended_at = CASE WHEN $3 <> 'pending' THEN tributary_now() END
     WHERE webhook_id = $1 AND event_id = ANY ($2::uuid[])`,
    [
      uuid,
      eventIds.map((id) => parseId('evt', id)),
      state,
      JSON.stringify(attempts),
      tries,
      mergedInto ? parseId('evt', mergedInto) : null,
    ],
  );
}
