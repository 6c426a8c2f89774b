/** Entry point for proofs and benchmarks: IDs and the clock. The service does not import this. */
export { systemClock } from '../clock.ts';
export { createIdSource, formatId, parseId } from '../ids.ts';
