import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { asTenant } from '../../store/database/tenant.ts';
import {
  lockWebhook,
  updateWebhook as update,
  type Webhook,
  type WebhookChanges,
} from '../../store/webhooks/webhooks.ts';
import { changedFields, describeChange } from '../audit/changed-fields.ts';
import { record } from '../audit/record.ts';
import { auditedSettings } from './audited-settings.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { normalizeEventTypes } from './normalize-event-types.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/** Applies a partial update. Reactivating a webhook sends its held deliveries immediately. Throws `invalid_url` or `not_found`. */
export async function updateWebhook(
  ctx: Pick<Context, 'config' | 'db' | 'newId' | 'wakeDeliveries'>,
  acting: Acting,
  id: string,
  { url, events, ...changes }: WebhookChanges,
): Promise<Webhook> {
  const checked: WebhookChanges = {
    ...changes,
    ...(url === undefined ? {} : { url: checkEndpoint(ctx, url) }),
    ...(events === undefined ? {} : { events: normalizeEventTypes(events) }),
  };
  const webhook = await asTenant(ctx.db, acting, async (tx) => {
    const [before, after] = await Promise.all([lockWebhook(tx, acting, id), update(tx, acting, id, checked)]);
    if (!before || !after) throw webhookNotFound(formatId('wh', id));
    await recordUpdate(ctx, tx, acting, before, after);
    return after;
  });
  if (changes.status === 'active') ctx.wakeDeliveries(id);
  return webhook;
}

async function recordUpdate(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: Acting,
  before: Webhook,
  after: Webhook,
): Promise<void> {
  const [was, is] = [auditedSettings(before), auditedSettings(after)];
  const auditedFields = changedFields(was, is);
  // A new URL is recorded as a changed field without its value.
  const fields =
    before.url === after.url ? auditedFields : [...auditedFields.filter((field) => field !== 'host'), 'url'];
  if (fields.length > 0)
    await record(ctx, tx, acting, {
      action: 'webhook.updated',
      target: { type: 'webhook', id: formatId('wh', after.id) },
      data: { fields, ...describeChange(was, is, auditedFields) },
    });
}
