/** Examples for proofs and fuzzing. */
export { exampleBatch } from './sdk-batch.ts';
