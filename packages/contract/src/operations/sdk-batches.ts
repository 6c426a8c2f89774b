import { Type } from 'typebox';
import { answer, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { Batch, BatchAccepted, BatchReceipt, exampleBatch, exampleBatchReceipt } from '../sdk-batch.ts';

const batchErrors = [
  'invalid_request',
  'missing_token',
  'invalid_token',
  'token_expired',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export const createBatch = {
  operationId: 'createBatch',
  summary: 'Upload data',
  description:
    'Called by the SDK with its access token. The body may be sent with `Content-Encoding: gzip` or `zstd`. An answer of 202 means that the upload ' +
    'is committed: it cannot be lost any more and is in the answers within seconds. The same `batch_id` and body again is 202 and changes nothing. ' +
    'Parts that are not plausible are refused one by one, see the receipt; the rest is taken. While too much waits to be worked on the answer is 503: ' +
    'keep the upload and send it again later.',
  tags: ['Mobile SDK'],
  querystring: Type.Object({}, { additionalProperties: false }),
  body: RefTo(Batch),
  bodyExamples: { heart_rate: exampleBatch },
  response: {
    202: answer('Committed', RefTo(BatchAccepted), { batch_id: exampleBatch.batch_id }),
    ...errors(...batchErrors, 'batch_conflict', 'payload_too_large'),
  },
} satisfies Operation;

export const getBatch = {
  operationId: 'getBatch',
  summary: 'Get the receipt of an upload',
  description: 'Called by the SDK with its access token. What became of an upload of this user.',
  tags: ['Mobile SDK'],
  params: Type.Object({
    batch_id: Type.String({
      description: 'The id that the upload was sent with',
      examples: [exampleBatch.batch_id],
    }),
  }),
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: answer('The receipt', RefTo(BatchReceipt), exampleBatchReceipt),
    ...errors(...batchErrors, 'not_found'),
  },
} satisfies Operation;
