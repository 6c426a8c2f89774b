import { ApiError, webhookLimits, type Subscription } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { countWebhooksExclusively, insertWebhook, type Webhook } from '../../store/webhooks.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { foldSubscriptions } from './fold-subscriptions.ts';
import { createSigningSecret } from './signing-secret.ts';

export interface CreateWebhookInput {
  url: string;
  events: readonly Subscription[];
  status: 'active' | 'inactive';
  coalesceSeconds: number;
  rateLimit: number | null;
}

/** Registers an endpoint and makes its secret, which is answered this once; throws `invalid_url` or `webhook_limit_reached`. */
export async function createWebhook(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'newId'>,
  tenant: Tenant,
  input: CreateWebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  const url = checkEndpoint(ctx, input.url);
  const id = ctx.newId();
  const { shown, sealed } = createSigningSecret(ctx.keyring, id);
  const webhook = await asTenant(ctx.db, tenant, async (tx) => {
    if ((await countWebhooksExclusively(tx, tenant)) >= webhookLimits.webhooks)
      throw new ApiError('webhook_limit_reached', { details: { limit: webhookLimits.webhooks } });
    const events = foldSubscriptions(input.events);
    return insertWebhook(tx, tenant, { ...input, id, url, events, secret: sealed });
  });
  return { webhook, secret: shown };
}
