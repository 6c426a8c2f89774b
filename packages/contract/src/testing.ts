/** Examples for tests and fuzzing. */
export { exampleBatch } from './resources/sdk-batch-example.ts';
