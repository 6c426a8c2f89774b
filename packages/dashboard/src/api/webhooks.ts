import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  DeliveryDetailWire,
  DeliveryStatus,
  DeliveryWire,
  EventType,
  ListedWebhookWire,
  WebhookHealthWire,
  WebhookWire,
} from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

const path = (id: string) => `/v1/webhooks/${encodeURIComponent(id)}`;

export const webhooksQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['webhooks', environment],
    queryFn: ({ signal }) =>
      call<{ data: ListedWebhookWire[] }>('GET', '/v1/webhooks', { environment, signal }),
    refetchInterval: 30_000,
  });

/** Health of each webhook over the last 24 hours. */
export const webhookHealthQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['webhook-health', environment],
    queryFn: ({ signal }) =>
      call<{ data: WebhookHealthWire[] }>('GET', '/dashboard/api/webhooks', {
        query: { environment },
        signal,
      }),
    refetchInterval: 30_000,
  });

export const webhookQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['webhook', environment, id],
    queryFn: ({ signal }) => call<{ data: WebhookWire }>('GET', path(id), { environment, signal }),
  });

export interface DeliveryPage {
  data: DeliveryWire[];
  next_cursor: string | null;
}

export const deliveriesQuery = (environment: Environment, id: string, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', environment, id, status],
    queryFn: ({ pageParam, signal }) =>
      call<DeliveryPage>('GET', `${path(id)}/deliveries`, {
        environment,
        query: { status, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const deliveryQuery = (environment: Environment, id: string, eventId: string) =>
  queryOptions({
    queryKey: ['delivery', environment, id, eventId],
    queryFn: ({ signal }) =>
      call<{ data: DeliveryDetailWire }>('GET', `${path(id)}/deliveries/${encodeURIComponent(eventId)}`, {
        environment,
        signal,
      }),
  });

export interface WebhookInput {
  url: string;
  events: string[];
  coalesce_seconds?: number;
  rate_limit?: number | null;
}

export const createWebhook = (environment: Environment, body: WebhookInput) =>
  call<{ data: WebhookWire & { secret: string } }>('POST', '/v1/webhooks', { environment, body });

export const updateWebhook = (
  environment: Environment,
  id: string,
  body: Partial<WebhookInput> & { status?: 'active' | 'inactive' },
) => call<{ data: WebhookWire }>('PATCH', path(id), { environment, body });

export const deleteWebhook = (environment: Environment, id: string) =>
  call('DELETE', path(id), { environment });

export const rotateSecret = (environment: Environment, id: string) =>
  call<{ data: { secret: string; previous_secret_valid_until: string } }>(
    'POST',
    `${path(id)}/rotate-secret`,
    {
      environment,
    },
  );

export const testWebhook = (environment: Environment, id: string, type: EventType | null) =>
  call<{ data: DeliveryWire }>('POST', `${path(id)}/test`, {
    environment,
    body: type === null ? {} : { event_type: type },
  });

export const resendDelivery = (environment: Environment, id: string, eventId: string) =>
  call<{ data: DeliveryWire }>('POST', `${path(id)}/deliveries/${encodeURIComponent(eventId)}/resend`, {
    environment,
  });

interface Recovery {
  queued: number;
  cursor: string;
  has_more: boolean;
}

/** Queues missed events from a time on, in steps to the end of the feed. Returns their number. */
export async function recoverWebhook(environment: Environment, id: string, since: string): Promise<number> {
  let body: { since: string } | { cursor: string } = { since };
  for (let queued = 0; ;) {
    const { data }: { data: Recovery } = await call('POST', `${path(id)}/recover`, { environment, body });
    queued += data.queued;
    if (!data.has_more) return queued;
    body = { cursor: data.cursor };
  }
}
