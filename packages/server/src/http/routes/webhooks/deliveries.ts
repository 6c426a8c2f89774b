import { operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { getDelivery } from '../../../services/webhooks/deliveries/get-delivery.ts';
import { listDeliveries } from '../../../services/webhooks/deliveries/list-deliveries.ts';
import { recoverWebhook, type RecoverFrom } from '../../../services/webhooks/recover-webhook.ts';
import { resendDelivery } from '../../../services/webhooks/deliveries/resend-delivery.ts';
import { testWebhook } from '../../../services/webhooks/test-webhook.ts';
import { toDeliveryDetailWire, toDeliveryWire } from '../../../services/webhooks/webhook-wire.ts';
import type { App } from '../../frame/app-type.ts';
import { actingOf, callerOf } from '../../frame/auth.ts';
import { badBody } from '../../frame/errors.ts';
import { eventIdOf, webhookIdOf } from '../../parameters/webhook-id.ts';

export function registerDeliveryRoutes(app: App, ctx: Context): void {
  app.get('/v1/webhooks/:id/deliveries', { schema: operations.listDeliveries }, async (request) => {
    const { tenant } = callerOf(request);
    const page = await listDeliveries(ctx, tenant, webhookIdOf(request.params.id), request.query);
    return {
      data: page.deliveries.map((delivery) => toDeliveryWire(page.webhook, delivery)),
      next_cursor: page.nextCursor,
    };
  });

  app.get('/v1/webhooks/:id/deliveries/:event_id', { schema: operations.getDelivery }, async (request) => {
    const { id, event_id: event } = request.params;
    const { tenant } = callerOf(request);
    const { webhook, delivery } = await getDelivery(ctx, tenant, webhookIdOf(id), eventIdOf(event));
    request.readUser = delivery.userId;
    return { data: toDeliveryDetailWire(webhook, delivery) };
  });

  app.post(
    '/v1/webhooks/:id/deliveries/:event_id/resend',
    { schema: operations.resendDelivery },
    async (request, reply) => {
      const { id, event_id: event } = request.params;
      const acting = actingOf(request);
      const { webhook, delivery } = await resendDelivery(ctx, acting, webhookIdOf(id), eventIdOf(event));
      return reply.code(202).send({ data: toDeliveryWire(webhook, delivery) });
    },
  );

  app.post('/v1/webhooks/:id/test', { schema: operations.testWebhook }, async (request, reply) => {
    const { event_type: type = null } = request.body;
    const id = webhookIdOf(request.params.id);
    const { webhook, delivery } = await testWebhook(ctx, actingOf(request), id, type);
    return reply.code(202).send({ data: toDeliveryWire(webhook, delivery) });
  });

  app.post('/v1/webhooks/:id/recover', { schema: operations.recoverWebhook }, async (request, reply) => {
    const from = readStart(request.body);
    const id = webhookIdOf(request.params.id);
    const { queued, cursor, hasMore } = await recoverWebhook(ctx, actingOf(request), id, from);
    return reply.code(202).send({ data: { queued, cursor, has_more: hasMore } });
  });
}

function readStart({ since, cursor }: { since?: string; cursor?: string }): RecoverFrom {
  if (since !== undefined && cursor === undefined) return { sinceMs: Date.parse(since) };
  if (cursor !== undefined && since === undefined) return { cursor };
  throw badBody('Send either `since` or `cursor` to set the starting point, not both.');
}
