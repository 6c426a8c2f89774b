import type pg from 'pg';
import { createKeyring } from '@tributary/server/testing/credentials';
import { configureApp } from '@tributary/server/testing/accounts';
import { testActor } from '@tributary/server/testing/database';
import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';

/** An allowed redirect URL. */
export const allowedReturn = 'https://app.example.com/connected';
const connectable = 'oura';
const key = Buffer.alloc(32, 7);

/** Settings of the service: a known key, and a sandbox lab that is never reachable. */
export const providerSettings = {
  ENCRYPTION_KEYS: `1:${key.toString('base64')}`,
  LAB_URL: 'http://127.0.0.1:9',
};

/** Adds a provider app of the operator, so that live users can connect a provider too. */
export async function configureProvider(ctx: { operator: pg.Pool; newId: () => string }): Promise<void> {
  const keyring = createKeyring([{ version: 1, key }]);
  const app = { clientId: 'fuzz', clientSecret: 'fuzz', settings: {}, force: false };
  await configureApp({ ...ctx, keyring }, testActor, { provider: connectable, ...app });
}

/** Changes a request about providers so that it can succeed. */
export function makeSensibleDevice(request: FuzzRequest, random: Random): void {
  if (request.operationId === 'listProviders' && random.chance(0.5))
    request.query = [['include', 'unavailable']];
  if (request.operationId !== 'connectDevice') return;
  const redirect_url = random.pick([undefined, allowedReturn, `${allowedReturn}?flow=${random.word(5)}`]);
  request.body = { provider: connectable, ...(redirect_url !== undefined && { redirect_url }) };
}
