import type {
  AttemptWire,
  DeliveryDetailWire,
  DeliveryWire,
  EventType,
  ListedWebhookWire,
  WebhookWire,
} from '@tributary/contract';
import { formatId } from '../../ids.ts';
import { toEventWire } from '../events/event-wire.ts';
import type { DeliveryInDetail, LoggedDelivery } from '../../store/webhooks/delivery-log.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';

/** A webhook as the API and the command line return it. */
export function toWebhookWire(webhook: Webhook): WebhookWire {
  return {
    id: formatId('wh', webhook.id),
    url: webhook.url,
    events: webhook.events,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    coalesce_seconds: webhook.coalesceSeconds,
    rate_limit: webhook.rateLimit,
    created_at: webhook.createdAt,
  };
}

export function toListedWebhookWire(webhook: Webhook): ListedWebhookWire {
  return { ...toWebhookWire(webhook), last_delivery_at: webhook.lastDeliveryAt };
}

/** A delivery of this webhook, in the same form for both. */
export function toDeliveryWire({ status }: Webhook, delivery: LoggedDelivery): DeliveryWire {
  const isPending = delivery.state === 'pending';
  const isHeld = isPending && status !== 'active';
  return {
    event_id: formatId('evt', delivery.eventId),
    event_type: delivery.type as EventType,
    user_id: delivery.userId && formatId('user', delivery.userId),
    status: delivery.state,
    held: isHeld,
    test: delivery.isTest,
    created_at: delivery.createdAt,
    next_attempt_at: isPending && !isHeld ? delivery.dueAt : null,
    ended_at: delivery.endedAt,
    attempt_count: delivery.attemptCount,
    last_attempt: delivery.lastAttempt && withoutResponse(delivery.lastAttempt),
    merged_into: delivery.mergedInto && formatId('evt', delivery.mergedInto),
  };
}

export function toDeliveryDetailWire(webhook: Webhook, delivery: DeliveryInDetail): DeliveryDetailWire {
  return {
    ...toDeliveryWire(webhook, delivery),
    attempts: delivery.attempts,
    event: delivery.sent ?? (delivery.event && toEventWire(delivery.event)),
  };
}

function withoutResponse({ at, status, error, milliseconds }: AttemptWire) {
  return { at, status, error, milliseconds };
}
