import { ApiError, type DeliveryStatus } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { openCursor, sealCursor } from '../../../credentials/cursor.ts';
import { listDeliveries as list, type LoggedDelivery } from '../../../store/webhooks/delivery-log.ts';
import type { Tenant } from '../../../store/database/tenant.ts';
import { lastId } from '../../../store/users/users.ts';
import type { Webhook } from '../../../store/webhooks/webhooks.ts';
import { getWebhook } from '../get-webhook.ts';

const defaultLimit = 50;

export interface DeliveriesQuery {
  status?: DeliveryStatus | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * Lists the deliveries of a webhook after a cursor, newest event first. Parameters omitted in a follow-up request come from the cursor. Throws
 * `not_found`.
 */
export async function listDeliveries(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  webhookId: string,
  query: DeliveriesQuery,
): Promise<{ webhook: Webhook; deliveries: LoggedDelivery[]; nextCursor: string | null }> {
  const place = readPlace(ctx, tenant, webhookId, query);
  const webhook = await getWebhook(ctx, tenant, webhookId);
  const { state, before, limit } = place;
  const page = await list(ctx.db, tenant, webhookId, { state, before, limit: limit + 1 });
  const deliveries = page.deliveries.slice(0, limit);
  const next = page.deliveries.length > limit ? deliveries.at(-1)!.eventId : page.scannedTo;
  const nextCursor = next && sealCursor(ctx.keyring, 'deliveries', tenant, [webhookId, next, state, limit]);
  return { webhook, deliveries, nextCursor };
}

function readPlace(
  ctx: Pick<Context, 'keyring'>,
  tenant: Tenant,
  webhookId: string,
  { status, limit, cursor }: DeliveriesQuery,
): { state: DeliveryStatus | null; before: string; limit: number } {
  if (cursor === undefined) return { state: status ?? null, before: lastId, limit: limit ?? defaultLimit };
  const [of, before, state, pageLimit] = openCursor(ctx.keyring, 'deliveries', tenant, cursor) as [
    string,
    string,
    DeliveryStatus | null,
    number,
  ];
  const isChanged = of !== webhookId || (status ?? state) !== state || (limit ?? pageLimit) !== pageLimit;
  if (isChanged) throw new ApiError('invalid_cursor');
  return { state, before, limit: pageLimit };
}
