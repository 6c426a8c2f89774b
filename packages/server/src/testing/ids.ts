/** Entry point for proofs and benchmarks: ids and the clock. The service does not import this. */
export { systemClock } from '../clock.ts';
export { createIdSource, formatId, parseId } from '../ids.ts';
