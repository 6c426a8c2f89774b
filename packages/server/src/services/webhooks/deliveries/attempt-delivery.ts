import type { EventWire } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import type { OutboundAnswer } from '../../../outbound/exchange.ts';
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
const mostAnswerBytes = 512;
const gone = 410;

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
  let answer: OutboundAnswer | null = null;
  let error: string | null = null;
  try {
    answer = await ctx.outbound.send({ ...requestFor(ctx, endpoint, event, startedAt), signal });
  } catch (failure) {
    if (signal.aborted || !(failure instanceof OutboundError) || failure.reason === 'stopped') throw failure;
    error = failure.message;
  }
  const { delivery, merged } = parcel;
  return {
    ...judge(answer, delivery.tries + 1, ctx.clock.now()),
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    attempt: {
      at: new Date(startedAt).toISOString(),
      status: answer?.status ?? null,
      error,
      milliseconds: Math.round(performance.now() - before),
      answer: answer && readableAnswer(answer.body),
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
    mostAnswerBytes,
  };
}

/** Classifies the response to attempt number `tries`. */
function judge(
  answer: OutboundAnswer | null,
  tries: number,
  now: number,
): Pick<Outcome, 'state' | 'dueAt' | 'isGone'> {
  if (answer && answer.status >= 200 && answer.status < 300)
    return { state: 'succeeded', dueAt: now, isGone: false };
  const asked = readRetryAfter(answer?.headers['retry-after'], now);
  const wait = waitAfterFailure(tries, asked, Math.random());
  return {
    state: wait === null ? 'failed' : 'pending',
    dueAt: now + (wait ?? 0),
    isGone: answer?.status === gone,
  };
}

/** The first bytes of a response as text that PostgreSQL can store. */
function readableAnswer(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
