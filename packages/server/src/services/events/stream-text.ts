import { positionEvent } from '@tributary/contract';
import type { FeedEvent } from '../../store/events/feed.ts';
import { toEventWire } from './event-wire.ts';

/** A comment line. No blank line follows, because some clients dispatch an empty message for it. */
export const heartbeat = ':\n';

/** The start of a stream: the reconnection delay, randomized per reader, and the current position. */
export function printBeginning(cursor: string): string {
  const retryMs = 1_000 + Math.floor(Math.random() * 1_000);
  return `retry: ${retryMs}\n${printPosition(cursor)}`;
}

/** Sends the current position as a message with data, because many clients ignore an ID on its own or treat it as an empty event. */
export function printPosition(cursor: string): string {
  return printMessage(positionEvent, { cursor }, cursor);
}

export function printEvent(event: FeedEvent, cursor: string): string {
  return printMessage(event.type, toEventWire(event), cursor);
}

/** The ID comes last: some clients store it as soon as they read it, and the connection may break right after. */
function printMessage(type: string, data: object, id: string): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}
