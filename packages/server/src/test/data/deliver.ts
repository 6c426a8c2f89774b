import { expect } from 'vitest';
import { batchOf, type SdkUser } from './sdk-user.ts';
import type { TestApp } from '../apps/test-app.ts';
import { workThrough } from './uploads.ts';

export const ring = { provider: 'health_connect', id: 'ring-1', kind: 'ring' };
export const chestStrap = { provider: 'health_connect', id: 'strap-1', kind: 'chest_strap' };

/** Uploads each part as its own batch and processes all of them; expects every one to be accepted. */
export async function deliver(app: TestApp, user: SdkUser, ...parts: object[]): Promise<void> {
  const batches = parts.map(batchOf);
  for (const batch of batches) expect(await user.upload(batch)).toMatchObject({ status: 202 });
  await workThrough(app);
  for (const { batch_id } of batches)
    expect((await user.receipt(batch_id)).body).toMatchObject({ status: 'processed', rejected: [] });
}
