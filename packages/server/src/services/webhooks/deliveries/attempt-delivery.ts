import type { EventWire } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import type { OutboundResponse } from '../../../outbound/exchange.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import type { Endpoint, Outcome } from '../../../store/webhooks/deliveries.ts';
import { toEventWire } from '../../events/event-wire.ts';
import type { Parcel } from './group-deliveries.ts';
import { mergeEvents } from './merge-events.ts';
import { messageHeaders } from './message-headers.ts';
import { readRetryAfter, waitAfterFailure } from './retry-schedule.ts';
import { openSigningSecret } from '../signing-secret.ts';

const timeoutMs = 15_000;
/** How much of a response is stored, to help diagnose failures. */
const maxResponseBytes = 512;
const goneStatus = 410;

/** Sends a parcel once and returns the outcome. Rejects if our side aborted the request, because the result is then unknown. */
export async function attemptDelivery(
  ctx: Pick<Context, 'clock' | 'keyring' | 'outbound'>,
  endpoint: Endpoint,
  parcel: Parcel,
  signal: AbortSignal,
): Promise<Outcome> {
  const event = eventOf(parcel);
  const startedAt = ctx.clock.now();
  const before = performance.now();
  let response: OutboundResponse | null = null;
  let error: string | null = null;
  try {
    response = await ctx.outbound.send({ ...requestFor(ctx, endpoint, event, startedAt), signal });
  } catch (failure) {
    if (signal.aborted || !(failure instanceof OutboundError) || failure.reason === 'stopped') throw failure;
    error = failure.message;
  }
  const { delivery, merged } = parcel;
  return {
    ...classifyResponse(response, delivery.tries + 1, ctx.clock.now()),
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    wasDueAt: delivery.dueAt,
    attempt: {
      at: new Date(startedAt).toISOString(),
      status: response?.status ?? null,
      error,
      milliseconds: Math.round(performance.now() - before),
      answer: response && readableResponse(response.body),
    },
    sent: merged.length > 0 ? event : null,
    merged: merged.map(({ eventId }) => eventId),
  };
}

function eventOf({ delivery, merged }: Parcel): EventWire {
  if (delivery.sent) return delivery.sent;
  return mergeEvents([...merged, delivery].map(({ event }) => toEventWire(event!)));
}

function requestFor(
  { keyring }: Pick<Context, 'keyring'>,
  { id, url, secret, previousSecret }: Endpoint,
  event: EventWire,
  now: number,
) {
  const body = JSON.stringify(event);
  const sealed = previousSecret ? [secret, previousSecret] : [secret];
  const secrets = sealed.map((one) => openSigningSecret(keyring, id, one));
  return {
    method: 'POST' as const,
    url,
    body,
    headers: messageHeaders(secrets, { id: event.event_id, body, nowMs: now }),
    timeoutMs,
    maxResponseBytes,
  };
}

/** Classifies the response to attempt number `tries`. */
function classifyResponse(
  response: OutboundResponse | null,
  tries: number,
  now: number,
): Pick<Outcome, 'state' | 'dueAt' | 'isEndpointGone'> {
  if (response && response.status >= 200 && response.status < 300)
    return { state: 'succeeded', dueAt: now, isEndpointGone: false };
  const retryAfterMs = readRetryAfter(response?.headers['retry-after'], now);
  const wait = waitAfterFailure(tries, retryAfterMs, Math.random());
  return {
    state: wait === null ? 'failed' : 'pending',
    dueAt: now + (wait ?? 0),
    isEndpointGone: response?.status === goneStatus,
  };
}

/** The first bytes of a response as text that PostgreSQL can store. */
function readableResponse(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
