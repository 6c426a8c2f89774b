import { ApiError, webhookLimits, type Subscription } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { countWebhooksExclusively, insertWebhook, type Webhook } from '../../store/webhooks/webhooks.ts';
import { record } from '../audit/record.ts';
import { auditedSettings } from './audited-settings.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { normalizeEventTypes } from './normalize-event-types.ts';
import { createSigningSecret } from './signing-secret.ts';

export interface CreateWebhookInput {
  url: string;
  events: readonly Subscription[];
  status: 'active' | 'inactive';
  coalesceSeconds: number;
  rateLimit: number | null;
}

/** Creates a webhook with its secret, which is returned only here. Throws `invalid_url` or `webhook_limit_reached`. */
export async function createWebhook(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'newId'>,
  acting: Acting,
  input: CreateWebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  const url = checkEndpoint(ctx, input.url);
  const id = ctx.newId();
  const { shown, sealed } = createSigningSecret(ctx.keyring, id);
  const webhook = await asTenant(ctx.db, acting, async (tx) => {
    if ((await countWebhooksExclusively(tx, acting)) >= webhookLimits.webhooks)
      throw new ApiError('webhook_limit_reached', { details: { limit: webhookLimits.webhooks } });
    const events = normalizeEventTypes(input.events);
    const inserted = await insertWebhook(tx, acting, { ...input, id, url, events, secret: sealed });
    await record(ctx, tx, acting, {
      action: 'webhook.created',
      target: { type: 'webhook', id: formatId('wh', id) },
      data: auditedSettings(inserted),
    });
    return inserted;
  });
  return { webhook, secret: shown };
}
