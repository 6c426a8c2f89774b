import { Type } from 'typebox';
import { jsonResponse, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { Batch, BatchAccepted, batchLimits, BatchReceipt } from '../resources/sdk-batch.ts';
import { exampleBatch, exampleBatchReceipt } from '../resources/sdk-batch-example.ts';

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
    'The SDK calls this with its access token. The body can be sent with `Content-Encoding: gzip` or `zstd`. A 202 response means that the ' +
    'upload is committed: it cannot be lost, and its data appears in responses within seconds. Sending the same `batch_id` and body again ' +
    'returns 202 and changes nothing. Implausible parts are rejected one by one and listed in the receipt; the rest is accepted. If too many ' +
    'uploads wait to be processed, the response is 503: keep the upload and send it again later. Split a long history into uploads of at most ' +
    `${batchLimits.days} days: ten years fit into four. An upload of a new device of a user who has as many devices as the operator allows ` +
    '(by default 100) gets 409 `device_limit_reached`.',
  tags: ['Mobile SDK'],
  querystring: Type.Object({}, { additionalProperties: false }),
  body: RefTo(Batch),
  bodyExamples: { heart_rate: exampleBatch },
  response: {
    202: jsonResponse('The upload is committed.', RefTo(BatchAccepted), { batch_id: exampleBatch.batch_id }),
    ...errors(...batchErrors, 'too_many_days', 'batch_conflict', 'device_limit_reached', 'payload_too_large'),
  },
} satisfies Operation;

export const getBatch = {
  operationId: 'getBatch',
  summary: 'Get an upload receipt',
  description: 'The SDK calls this with its access token. Returns the result of an upload of this user.',
  tags: ['Mobile SDK'],
  params: Type.Object({
    batch_id: Type.String({
      description: 'The id that the upload was sent with.',
      examples: [exampleBatch.batch_id],
    }),
  }),
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: jsonResponse('The receipt.', RefTo(BatchReceipt), exampleBatchReceipt),
    ...errors(...batchErrors, 'not_found'),
  },
} satisfies Operation;
