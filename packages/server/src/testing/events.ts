/** Entry point for proofs and benchmarks: writing events and reading the live stream. The service does not import this. */
export { type StreamMessage, StreamParser } from '../cli/webhooks/stream-parser.ts';
export { openEventsCursor } from '../services/events/events-cursor.ts';
export { type Event, insertEvents } from '../store/events/events.ts';
