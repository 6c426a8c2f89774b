import { findProvider } from '@tributary/providers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../create-context.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { parseId } from '../../ids.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { findApp } from '../providers/find-app.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';
import { openTokenSource } from './token-source.ts';

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const workers = 64;
const expiries = 500;

test(
  '64 workers that find 500 expired tokens refresh each token once and lose no consent',
  { timeout: 300_000 },
  async () => {
    const provider = findProvider('whoop')!;
    const userId = await app.createUser();
    const { body } = await app.connect(userId, 'whoop');
    await app.authorize(body.data.auth_url);
    const deviceId = parseId('dev', body.data.id)!;
    const own = (await findApp(app.ctx, app.ctx.db, 'sandbox', provider))!;
    const access = { environment: 'sandbox', provider, app: own } as const;
    // Two pools, as on two nodes.
    const pools = [
      openDatabase(app.ctx.config, 'operator', 12),
      openDatabase(app.ctx.config, 'operator', 12),
    ];
    const before = app.lab.counts('whoop');
    const refreshesBefore = before.refreshes;
    try {
      for (let round = 0; round < expiries; round += 1) {
        const connection = (await findConnection(app.ctx.operator, deviceId))!;
        const sources = Array.from({ length: workers }, (_, at) =>
          openTokenSource({ ...app.ctx, operator: pools[at % 2]! }, access, {
            ...connection,
            tokens: connection.tokens!,
          }),
        );
        const renewed = await Promise.all(sources.map((source) => source.renew()));
        expect(new Set(renewed.map(({ accessToken }) => accessToken)).size).toBe(1);
      }
    } finally {
      for (const pool of pools) await pool.end();
    }
    const counts = app.lab.counts('whoop');
    expect(counts.refreshes - refreshesBefore).toBe(expiries);
    expect(counts.reuses).toBe(0);
    const connection = (await findConnection(app.ctx.operator, deviceId))!;
    expect(connection).toMatchObject({ status: 'active', tokenVersion: expiries + 1 });
    const last = unsealTokens(app.ctx.keyring, deviceId, connection.tokens!);
    expect(sealTokens(app.ctx.keyring, deviceId, last)).not.toEqual(connection.tokens);
    expect(() => unsealTokens(app.ctx.keyring, parseId('user', userId)!, connection.tokens!)).toThrow();
  },
);
