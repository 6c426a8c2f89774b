import { providers } from '@tributary/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { redirectUrl, startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';

let app: ConnectApp;
let syncing: AsyncDisposable;
beforeAll(async () => {
  app = await startConnectApp();
  syncing = app.startSync();
});
afterAll(async () => {
  await syncing[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

/** A simulated user with data at every provider. */
const person = 'ben';

interface Listed {
  source?: { provider: string };
}

describe.each(providers.map(({ id }) => id))('%s', (provider) => {
  let userId: string;
  let deviceId: string;
  beforeAll(async () => {
    userId = await app.createUser('America/New_York');
  });

  const syncOf = async () =>
    (await app.request('GET', `/v1/users/${userId}/devices/${deviceId}/sync`)).body.data;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const read = async (list: 'daily' | 'workouts') => {
    await app.processPending();
    const range = `start_date=${daysAgo(20)}&end_date=${daysAgo(0)}`;
    const { body } = await app.request('GET', `/v1/users/${userId}/${list}?${range}&include_sources=true`);
    return (body.data as Listed[]).filter(({ source }) => source?.provider === provider);
  };

  test('returns data within a minute after a user connects', { timeout: 90_000 }, async () => {
    const { status, body } = await app.connect(userId, provider, redirectUrl);
    expect([status, body.data?.status]).toEqual([200, 'pending']);
    deviceId = body.data.id;
    const back = await app.authorize(body.data.auth_url, person);
    expect(back.headers.get('location')).toBe(
      `${redirectUrl}?status=connected&device_id=${deviceId}&provider=${provider}`,
    );
    const countRecords = async () => (await read('daily')).length + (await read('workouts')).length;
    await expect.poll(countRecords, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);
  });

  test(
    'has no request rejected by the provider and no document rejected by us',
    { timeout: 180_000 },
    async () => {
      const causes = async () => {
        await app.processPending(); // history waits while the backlog is large
        // Query all runs, because the API returns only the latest ones.
        const { rows } = await app.admin.query('SELECT DISTINCT cause FROM sync_runs WHERE device_id = $1', [
          parseId('dev', deviceId),
        ]);
        return rows.map(({ cause }) => cause);
      };
      await expect
        .poll(causes, { timeout: 60_000, interval: 300 })
        .toEqual(expect.arrayContaining(['connected', 'history']));
      const { status, sync, runs } = await syncOf();
      expect([status, sync.state]).toEqual(['active', 'fresh']);
      expect(
        runs
          .map(({ outcome }: { outcome: string }) => outcome)
          .filter((one: string) => one !== 'ok' && one !== 'limited'),
      ).toEqual([]);
      await app.processPending();
      const { rows } = await app.admin.query(
        `SELECT rejected FROM receipts r JOIN devices d USING (user_id) WHERE d.id = $1 AND (failed OR counts[4] > 0) LIMIT 3`,
        [parseId('dev', deviceId)],
      );
      expect(rows).toEqual([]);
    },
  );
});

test('exceeds no limit of a provider', () => {
  for (const { id } of providers) expect(app.lab.counts(id).exceeded, id).toEqual({});
});
