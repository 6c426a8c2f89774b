import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';
import { getWebhook } from './get-webhook.ts';

/** Returns an active webhook. Throws `not_found` or `webhook_not_active`. */
export async function getActiveWebhook(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  id: string,
): Promise<Webhook> {
  const webhook = await getWebhook(ctx, tenant, id);
  const { status, disabledReason } = webhook;
  if (status !== 'active')
    throw new ApiError('webhook_not_active', { details: { status, disabled_reason: disabledReason } });
  return webhook;
}
