import { positionEvent } from '@tributary/contract';
import type { FeedEvent } from '../../store/feed.ts';
import { toEventWire } from './event-wire.ts';

/** A line that says nothing. No blank line follows: some clients take one for the end of a message, and tell of an empty one. */
export const heartbeat = ':\n';

/** The beginning of a stream: when to come back, a little different for each reader, and where it stands. */
export function printBeginning(cursor: string): string {
  const retryMs = 1_000 + Math.floor(Math.random() * 1_000);
  return `retry: ${retryMs}\n${printPosition(cursor)}`;
}

/** Tells a reader how far it has come. A message with data: an id alone is overlooked by many clients, or taken for an empty event. */
export function printPosition(cursor: string): string {
  return printMessage(positionEvent, { cursor }, cursor);
}

export function printEvent(event: FeedEvent, cursor: string): string {
  return printMessage(event.type, toEventWire(event), cursor);
}

/** The id stands last: some clients remember it as soon as they see it, and the connection may break right after. */
function printMessage(type: string, data: object, id: string): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}
