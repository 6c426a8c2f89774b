import { webhookHealthOperations as operations, type WebhookHealthWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { boundedWaiting } from '../../services/dashboard/bounded-count.ts';
import { formatId } from '../../ids.ts';
import { readWebhookHealth, type DeliveryHours } from '../../services/dashboard/read-webhook-health.ts';
import type { WebhookState } from '../../store/dashboard/webhooks.ts';
import type { App } from '../frame/app-type.ts';
import { tenantOf } from './environment.ts';

/** Route for the delivery health of an environment's webhooks. */
export function registerWebhookHealthRoutes(app: App, ctx: Context): void {
  app.get(
    '/webhooks',
    { schema: operations.listWebhookHealth, config: { role: 'viewer' } },
    async (request) => {
      const { webhooks, ...hours } = await readWebhookHealth(
        ctx,
        tenantOf(request, request.query.environment),
      );
      return { data: webhooks.map((webhook) => toHealth(webhook, hours)) };
    },
  );
}

function toHealth(
  webhook: WebhookState,
  { hours, delivered, isApproximate }: DeliveryHours,
): WebhookHealthWire {
  const own = delivered.filter(({ webhookId }) => webhookId === webhook.id);
  return {
    id: formatId('wh', webhook.id),
    hours: hours.map((startMs, at) => {
      const { first = 0, later = 0, failed = 0 } = own.find(({ hour }) => hour === at) ?? {};
      return { at: new Date(startMs).toISOString(), delivered: first + later, failed };
    }),
    approximate: isApproximate,
    waiting: boundedWaiting(webhook),
    oldest_waiting_at: webhook.oldestWaitingAt,
    last_response: webhook.lastAttempt && {
      status: webhook.lastAttempt.status,
      at: webhook.lastAttempt.at,
      error: webhook.lastAttempt.error,
    },
  };
}
