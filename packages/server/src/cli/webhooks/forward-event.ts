import type { StreamMessage } from '@tributary/contract/stream-parser';
import { messageHeaders } from '../../services/webhooks/deliveries/message-headers.ts';
import { failureOf } from '../failure-text.ts';

export interface Forwarded {
  eventId: string;
  /** Null when there was no response. */
  status: number | null;
  /** The reason for the failure. */
  failure: string | null;
  ms: number;
}

const timeoutMs = 15_000;

/** Sends an event to a local endpoint once, in the format of a webhook. */
export async function forwardEvent(
  { data: body }: Pick<StreamMessage, 'data'>,
  target: { url: string; secret: Buffer },
  signal: AbortSignal,
): Promise<Forwarded> {
  const { event_id: eventId } = JSON.parse(body) as { event_id: string };
  const startedAt = performance.now();
  const ended = (status: number | null, failure: string | null): Forwarded => ({
    eventId,
    status,
    failure,
    ms: Math.round(performance.now() - startedAt),
  });
  try {
    // oxlint-disable-next-line no-restricted-globals -- connects to the URL that the user of the command chose, from their machine
    const response = await fetch(target.url, {
      method: 'POST',
      body,
      headers: messageHeaders([target.secret], { id: eventId, body, nowMs: Date.now() }),
      redirect: 'manual', // webhooks follow no redirects
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    return ended(null, failureOf(error));
  }
}
