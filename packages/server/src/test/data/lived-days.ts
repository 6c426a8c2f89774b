import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Archetype } from '@tributary/contract';
import { profileOf, sandboxBatches, type DayNumber } from '@tributary/domain';
import type { TestApp } from '../apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from './uploads.ts';

/** A simulated user whose devices all report through a phone. */
export interface LivedPerson {
  readonly seed: string;
  readonly archetype: Archetype;
  readonly firstDay: DayNumber;
  readonly timezone: string;
}

/** The data of one device. */
export interface LivedBatch<Content = ReturnType<typeof contentOf>> {
  readonly device: { id: string; kind: string; provider: string };
  readonly content: Content;
}

/** Health stores of phones instead of clouds. */
const stores: Record<string, string> = { oura: 'health_connect', withings: 'samsung_health' };

type SandboxBatch = ReturnType<typeof sandboxBatches>[number];

/** The data that a user's devices report between two times. */
export function livedBatches(person: LivedPerson, fromMs: number, toMs: number): LivedBatch[] {
  return sandboxBatches({ ...person, fromMs, toMs }).map((batch) => {
    const { id, kind, provider } = batch.device;
    return {
      device: { id, kind: kind ?? 'unknown', provider: stores[provider] ?? 'apple_health' },
      content: contentOf(batch),
    };
  });
}

function contentOf({ series, records, daily, sleep, workouts }: SandboxBatch) {
  return { series, records, daily, sleep, workouts };
}

/** A live user with the profile of a simulated user, without data. */
export function createLivedUser(
  app: TestApp,
  { archetype, firstDay, timezone }: LivedPerson,
): Promise<PhoneUser> {
  return createPhoneUser(app, { timezone, profile: profileOf(archetype, firstDay) });
}

/** Uploads and processes batches with a new phone session, because tests move the clock by more than a token's lifetime. */
export async function deliverLived(
  app: TestApp,
  userId: string,
  batches: readonly LivedBatch<object>[],
): Promise<void> {
  const bootstrap = await app.request('POST', `/v1/users/${userId}/sdk-sessions`, {
    headers: { 'idempotency-key': randomUUID() },
    body: {},
  });
  const { client_token } = bootstrap.body;
  const session = await app.request('POST', '/v1/sdk/sessions/exchange', { key: '', body: { client_token } });
  for (const { device, content } of batches) {
    const body = { batch_id: randomUUID(), device, ...content };
    const response = await app.request('POST', '/v1/sdk/batches', { key: session.body.access_token, body });
    expect(response).toMatchObject({ status: 202 });
  }
  await workThrough(app);
}
