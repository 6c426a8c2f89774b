import type { StreamMessage } from './stream-parser.ts';
import { messageHeaders } from '../services/webhooks/message-headers.ts';
import { failureOf } from './failure-text.ts';

export interface Forwarded {
  eventId: string;
  /** Null when there was no answer. */
  status: number | null;
  /** Why not. */
  failure: string | null;
  ms: number;
}

const timeoutMs = 15_000;

/** Sends an event to a local endpoint as a webhook is sent, once. */
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
    // oxlint-disable-next-line no-restricted-globals -- goes where the one who runs it says, from that one's machine
    const response = await fetch(target.url, {
      method: 'POST',
      body,
      headers: messageHeaders([target.secret], { id: eventId, body, nowMs: Date.now() }),
      redirect: 'manual', // webhooks follow none
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    return ended(null, failureOf(error));
  }
}
