/** Entry point for proofs and benchmarks: writing events and reading the feed. The service does not import this. */
export { openEventsCursor } from '../services/events/events-cursor.ts';
export { type Event, insertEvents } from '../store/events/events.ts';
