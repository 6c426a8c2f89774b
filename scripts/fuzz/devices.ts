import type pg from 'pg';
import { createKeyring } from '@tributary/server/testing/credentials';
import { configureApp } from '@tributary/server/testing/accounts';
import { testActor } from '@tributary/server/testing/database';
import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';

/** Where people may be sent back to. */
export const allowedReturn = 'https://app.example.com/connected';
const connectable = 'oura';
const key = Buffer.alloc(32, 7);

/** What the service is started with: a key that is known here, and a lab for the sandbox that nobody ever reaches. */
export const providerSettings = {
  ENCRYPTION_KEYS: `1:${key.toString('base64')}`,
  LAB_URL: 'http://127.0.0.1:9',
};

/** An application of the operator, so that live users can connect something too. */
export async function configureProvider(ctx: { operator: pg.Pool; newId: () => string }): Promise<void> {
  const keyring = createKeyring([{ version: 1, key }]);
  const app = { clientId: 'fuzz', clientSecret: 'fuzz', settings: {}, force: false };
  await configureApp({ ...ctx, keyring }, testActor, { provider: connectable, ...app });
}

/** Makes of a request about providers one that can be met. */
export function makeSensibleDevice(request: FuzzRequest, random: Random): void {
  if (request.operationId === 'listProviders' && random.chance(0.5))
    request.query = [['include', 'unavailable']];
  if (request.operationId !== 'connectDevice') return;
  const redirect_url = random.pick([undefined, allowedReturn, `${allowedReturn}?flow=${random.word(5)}`]);
  request.body = { provider: connectable, ...(redirect_url !== undefined && { redirect_url }) };
}
