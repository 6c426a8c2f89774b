import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { parseId } from '../../ids.ts';
import { processBatches } from '../../services/layers/process-batches.ts';
import { inTransaction } from '../../store/database/database.ts';
import { takePendingBatches } from '../../store/uploads/pending-batches.ts';
import { partitionCount } from '../../partitions.ts';
import type { TestApp } from '../apps/test-app.ts';

export const everyPartition = Array.from({ length: partitionCount }, (_, at) => at);

/** A user with a signed-in phone. */
export interface PhoneUser {
  id: string;
  uuid: string;
  accessToken: string;
  /** Uploads a batch for a device and returns its ID. */
  upload(device: { id: string; kind?: string; provider?: string }, content: object): Promise<string>;
}

export async function createPhoneUser(app: TestApp, user: object = {}): Promise<PhoneUser> {
  const { body } = await app.request('POST', '/v1/users', { body: { external_ref: randomUUID(), ...user } });
  const bootstrap = await app.request('POST', `/v1/users/${body.id}/sdk-sessions`, {
    headers: { 'idempotency-key': randomUUID() },
    body: {},
  });
  const { client_token } = bootstrap.body;
  const exchange = { key: '', body: { client_token } };
  const accessToken = (await app.request('POST', '/v1/sdk/sessions/exchange', exchange)).body.access_token;
  return {
    id: body.id,
    uuid: parseId('user', body.id)!,
    accessToken,
    async upload(device, content) {
      const batch_id = randomUUID();
      const batch = { batch_id, device: { provider: 'apple_health', kind: 'watch', ...device }, ...content };
      const response = await app.request('POST', '/v1/sdk/batches', { key: accessToken, body: batch });
      expect(response).toMatchObject({ status: 202 });
      return batch_id;
    },
  };
}

/** Processes all pending batches, as the ingest role does. */
export async function workThrough({ ctx }: TestApp): Promise<void> {
  for (;;) {
    const batchCount = await inTransaction(ctx.operator, async (tx) => {
      const { batches } = await takePendingBatches(tx, everyPartition, 100);
      if (batches.length > 0) expect((await processBatches(ctx, tx, batches)).failed).toEqual([]);
      return batches.length;
    });
    if (batchCount === 0) return;
  }
}
