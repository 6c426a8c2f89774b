import { createSigningSecret } from '../services/webhooks/signing-secret.ts';
import { insertEvents, type Event } from '../store/events.ts';
import type { TestApp } from './test-app.ts';

export interface PlantedWebhook {
  id: string;
  secret: string;
}

/** A webhook of the test's account, without the API. */
export async function plantWebhook(
  { ctx, admin, account }: TestApp,
  url: string,
  more: { events?: string[]; coalesceSeconds?: number; rateLimit?: number; status?: string } = {},
): Promise<PlantedWebhook> {
  const id = ctx.newId();
  const { shown, sealed } = createSigningSecret(ctx.keyring, id);
  await admin.query(
    `INSERT INTO webhooks (id, account_id, environment, url, events, status, coalesce_seconds, rate_limit, secret, created_at, updated_at)
     VALUES ($1, $2, 'live', $3, $4, $5, $6, $7, $8, tributary_now(), tributary_now())`,
    [
      id,
      account.uuid,
      url,
      more.events ?? ['*'],
      more.status ?? 'active',
      more.coalesceSeconds ?? 0,
      more.rateLimit ?? null,
      sealed,
    ],
  );
  return { id, secret: shown };
}

/** Events of the test's account, each in a transaction of its own; answers their ids. */
export async function tellEvents(
  { ctx, account }: TestApp,
  events: readonly Partial<Event>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const event of events) {
    const id = ctx.newId();
    await insertEvents(ctx.operator, [
      {
        id,
        accountId: account.uuid,
        environment: 'live',
        userId: ctx.newId(),
        type: 'score.updated',
        deviceId: null,
        metrics: [],
        data: {},
        ...event,
      },
    ]);
    ids.push(id);
  }
  return ids;
}
