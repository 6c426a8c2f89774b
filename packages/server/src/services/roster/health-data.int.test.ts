import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { deliver, ring } from '../../test/data/deliver.ts';
import { join, linkTokenOf, startRosterApp, fromHome } from '../../test/data/roster.ts';
import { scoreThrough } from '../../test/data/score-through.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import { batchOf, watch } from '../../test/data/sdk-user.ts';
import type { TestApp } from '../../test/apps/test-app.ts';
import { workThrough } from '../../test/data/uploads.ts';
import { erasedTables } from '../../store/users/erasure-list.ts';
import { leaveRoster } from './leave-roster.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const roster = '/v1/team/roster';

/** Tables of the roster, credentials and access. All other tables hold health data. */
const notHealth = new Set([
  'mails',
  'roster_invitations',
  'roster_members',
  'audit_texts',
  'sdk_sessions',
  'mobile_tokens',
]);

/** Returns every row of every table with health data of a user, for an exact comparison. */
async function healthData(userId: string): Promise<Record<string, string | null>> {
  const tables = erasedTables.filter(({ name }) => !notHealth.has(name));
  expect(tables.length).toBeGreaterThan(12);
  const bytes: Record<string, string | null> = {};
  for (const { name, rows } of tables) {
    const result = await app.admin.query(
      `SELECT string_agg(t::text, E'\\n' ORDER BY t::text) AS all FROM ${name} t WHERE ${rows}`,
      [parseId('user', userId)],
    );
    bytes[name] = result.rows[0].all;
  }
  const { rows } = await app.admin.query(`SELECT profile, timezone, consolidation FROM users WHERE id = $1`, [
    parseId('user', userId),
  ]);
  bytes['users'] = JSON.stringify(rows);
  return bytes;
}

/** Creates a member with a phone that has uploaded two nights and days. */
async function joinWithData(body: Record<string, unknown> = {}) {
  const member = await join(app, body);
  const { credentials } = await sdkOf(app).signIn(member.userId);
  const token = credentials.access_token;
  const user = {
    id: member.userId,
    uuid: parseId('user', member.userId)!,
    token,
    upload: (batch: object) => app.request('POST', '/v1/sdk/batches', { key: token, body: batch }),
    receipt: (batchId: string) => app.request('GET', `/v1/sdk/batches/${batchId}`, { key: token }),
  };
  const samples = {
    metric: 'heart_rate',
    start: '2026-03-01T10:00:00Z',
    interval_seconds: 60,
    values: [61, 64, 63, 70],
  };
  await deliver(
    app,
    user,
    { series: [samples] },
    { device: ring, daily: [{ metric: 'steps', date: '2026-03-01', value: 8421 }] },
    { sleep: [{ id: 'night', start: '2026-03-01T22:00:00Z', end: '2026-03-02T06:00:00Z' }] },
    {
      workouts: [
        { id: 'run', sport_type: 'running', start: '2026-03-02T07:00:00Z', end: '2026-03-02T08:00:00Z' },
      ],
    },
  );
  await scoreThrough(app);
  return { ...member, user };
}

async function read(userId: string) {
  const paths = [
    'daily?types=steps&from_date=2026-03-01&to_date=2026-03-02',
    'sleep?from_date=2026-03-01&to_date=2026-03-03',
    'devices',
  ];
  const responses = [];
  for (const path of paths) {
    const { status, body } = await app.request('GET', `/v1/users/${userId}/${path}`);
    responses.push({ status, body });
  }
  return responses;
}

// @contract roster: Archiving, reactivating and removing change no health data
test.each([
  ['a user created for the person', {}],
  ['a user of the organization', { own: true }],
])(
  'archive, reactivate, remove and return leave health data unchanged: %s',
  async (_title, { own }: { own?: boolean }) => {
    const existing = own
      ? (await app.request('POST', '/v1/users', { body: { reference_id: 'own' } })).body.data.id
      : undefined;
    const member = await joinWithData(existing ? { user_id: existing } : {});
    const [before, seen] = [await healthData(member.userId), await read(member.userId)];
    expect(before['sample_chunks']).not.toBeNull();
    expect(before['canonical_months']).toContain('8421');
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);

    for (const status of ['archived', 'active']) {
      await app.request('PATCH', `${roster}/${member.memberId}`, { body: { status } });
      expect(await healthData(member.userId)).toEqual(before);
      expect(await read(member.userId)).toEqual(seen);
    }
    await app.request('DELETE', `${roster}/${member.memberId}`);
    expect(await healthData(member.userId)).toEqual(before);
    const afterwards = (await read(member.userId)).map(({ status }) => status);
    expect(afterwards).toEqual(own ? [200, 200, 200] : [404, 404, 404]);
    const again = await join(app, { email: member.email, ...(existing ? { user_id: existing } : {}) });
    expect(again.userId).toBe(member.userId);
    expect(await healthData(member.userId)).toEqual(before);
    expect(await read(member.userId)).toEqual(seen);
  },
);

test('data acknowledged before the removal is processed and available when the person returns', async () => {
  const member = await joinWithData();
  const batch = batchOf({ device: watch, daily: [{ metric: 'steps', date: '2026-03-02', value: 9731 }] });
  expect((await member.user.upload(batch)).status).toBe(202);
  await app.request('DELETE', `${roster}/${member.memberId}`);
  await workThrough(app);
  expect((await healthData(member.userId))['canonical_months']).toContain('9731');
  expect((await healthData(member.userId))['pending_batches']).toBeNull();
  await join(app, { email: member.email });
  const { body } = await app.request(
    'GET',
    `/v1/users/${member.userId}/daily?types=steps&from_date=2026-03-02&to_date=2026-03-02`,
  );
  expect(body.series.steps).toEqual([9731]);
});

test('only leaving with erasure deletes health data', async () => {
  const member = await joinWithData();
  const before = await healthData(member.userId);
  const token = linkTokenOf(app, 'membership', member.memberId);
  await leaveRoster(app.ctx, token, { erase: false }, fromHome);
  expect(await healthData(member.userId)).toEqual(before);
  await leaveRoster(app.ctx, token, { erase: true }, fromHome);
  const { eraseUser } = await import('../users/erase-user.ts');
  await eraseUser(app.ctx, member.user.uuid);
  const left = Object.values(await healthData(member.userId)).filter(
    (rows) => rows !== null && rows !== '[]',
  );
  expect(left).toEqual([]);
});
