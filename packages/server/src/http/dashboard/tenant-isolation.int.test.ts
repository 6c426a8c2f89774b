import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { arrangeLayers, sufficientLayers } from '../../test/apps/isolation-layers.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { createTestWebhook, emitEvents, insertTestUser } from '../../test/webhooks.ts';

/**
 * Reads every page of the dashboard under both layers of tenant isolation, under query filters only, and under row-level security only. No response
 * may contain data of another account, and a foreign ID must return the same response as a missing one.
 */

const foreignMarker = 'belongs-to-someone-else';
const day = 'metric=heart_rate&from=2026-03-01&to=2026-03-02';

/** IDs of everything that an account has. */
interface Belongings {
  user: string;
  device: string;
  webhook: string;
  event: string;
  /** A plain UUID, the ID of a dead letter. */
  batch: string;
  key: string;
  operator: string;
  invitation: string;
}

const missingUuid = '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10';
const missing: Belongings = {
  user: formatId('user', missingUuid),
  device: formatId('dev', missingUuid),
  webhook: formatId('wh', missingUuid),
  event: formatId('evt', missingUuid),
  batch: missingUuid,
  key: formatId('key', missingUuid),
  operator: formatId('op', missingUuid),
  invitation: formatId('oli', missingUuid),
};

/** Every read without an ID, and the statements besides `operators/find` that it runs as the role that sees all tenants. */
const lists: Record<string, string[]> = {
  '/session': [],
  '/sessions': ['operators/sessions'],
  '/team': ['operators/profiles'],
  '/operators/names': ['operators/profiles'],
  '/keys': ['operators/profiles'],
  '/settings': [],
  '/overview?environment=live': ['dashboard-overview/dead-letters'],
  '/users?environment=live': [],
  [`/users?environment=live&search=${foreignMarker}`]: [],
  '/events?environment=live': [],
  '/webhooks?environment=live': [],
  '/providers?environment=live': ['dashboard-overview/accounts'],
};

/** The same for every read and change that takes an ID. */
const ofIds: [method: string, path: (ids: Belongings) => string, asOperator: string[]][] = [
  ...(['user', 'webhook', 'event', 'key', 'operator', 'invitation'] as const).map(
    (kind): (typeof ofIds)[number] => ['GET', (ids) => `/find?environment=live&id=${ids[kind]}`, []],
  ),
  ['GET', ({ device }) => `/find?environment=live&id=${device}`, ['dashboard-find/users-with-devices']],
  ['GET', ({ batch }) => `/find?environment=live&id=${batch}`, ['dashboard-find/users-with-dead_letters']],
  ['GET', ({ event }) => `/events/${event}?environment=live`, []],
  ['GET', ({ user }) => `/events?environment=live&user_id=${user}`, []],
  ['GET', ({ user }) => `/users/${user}/samples?environment=live&${day}`, []],
];

describe.each(sufficientLayers)('with %s', (layers) => {
  let app: TestApp;
  let browser: TestBrowser;
  let own: Belongings;
  let foreign: Belongings;

  beforeAll(async () => {
    app = await startTestApp();
    const stranger = await app.createAccount();
    ({ browser } = await joinAs(app, 'owner'));
    own = await furnish(app, app.account, 'mine');
    foreign = await furnish(app, stranger, foreignMarker);
    await arrangeLayers(app, layers);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('no page contains data of another account', async () => {
    for (const path of Object.keys(lists)) {
      const { status, body } = await browser.call('GET', path);
      expect(status, path).toBe(200);
      expect(JSON.stringify(body), path).not.toContain(foreignMarker);
    }
  });

  test('every page contains the data of its own account', async () => {
    const read = async (path: string) => (await browser.call('GET', path)).body;
    expect((await read('/session')).account.name).toBe('mine');
    const { members, invitations } = await read('/team');
    expect(members.map(({ email }: { email: string }) => email)).toContain('mine@example.com');
    expect(members).toHaveLength(2);
    expect(invitations).toMatchObject([{ id: own.invitation, invited_by: 'mine' }]);
    expect(Object.values((await read('/operators/names')).names)).toEqual(['The owner', 'mine']);
    expect((await read('/keys')).data).toHaveLength(2);
    expect((await read('/settings')).plan.users).toEqual({ live: 1, sandbox: 0 });
    const { needs } = await read('/overview?environment=live');
    expect(needs).toContainEqual(
      expect.objectContaining({ kind: 'dead_letters', count: { value: 1, more: false } }),
    );
    expect((await read('/users?environment=live')).data).toHaveLength(1);
    expect((await read('/events?environment=live')).data).toHaveLength(1);
    expect((await read('/webhooks?environment=live')).data).toHaveLength(1);
  });

  test.each(ofIds.map(([method, path]) => [method, path(missing), path] as const))(
    'returns the same response to %s %s for foreign and missing IDs',
    async (method, _path, path) => {
      const [ofForeign, ofMissing] = [
        await browser.call(method, path(foreign)),
        await browser.call(method, path(missing)),
      ];
      expect(ofForeign.status).toBe(404);
      expect(ofMissing.status).toBe(404);
      expect(ofForeign.body.error).toBe(ofMissing.body.error);
      expect((await browser.call(method, path(own))).status).toBe(200);
    },
  );

  test('changes nothing of another account', async () => {
    for (const [method, path, body] of [
      ['DELETE', `/keys/${foreign.key}`, undefined],
      ['DELETE', `/team/invitations/${foreign.invitation}`, undefined],
      ['DELETE', `/team/members/${foreign.operator}`, undefined],
      ['PATCH', `/team/members/${foreign.operator}`, { role: 'viewer' }],
    ] as const)
      expect((await browser.call(method, path, body)).status, path).toBe(404);
    const { rows } = await app.admin.query(
      `SELECT (SELECT count(*)::int FROM api_keys WHERE hint = $1 AND revoked_at IS NULL) AS keys,
         (SELECT count(*)::int FROM operator_links l WHERE l.email LIKE $1 || '%' AND l.status = 'pending') AS links,
         (SELECT r.role FROM operator_roles r JOIN auth.operators o ON o.id = r.operator_id WHERE o.name = $1) AS role`,
      [foreignMarker],
    );
    expect(rows).toEqual([{ keys: 2, links: 1, role: 'owner' }]);
  });

  test('only these reads use the database role that sees all tenants', async () => {
    for (const [path, statements] of [
      ...Object.entries(lists),
      ...ofIds.map(([, path, statements]) => [path(own), statements] as const),
    ])
      expect(await asOperatorDuring(app, () => browser.call('GET', path)), path).toEqual([
        'operator-sessions/state',
        ...statements,
      ]);
  });
});

test('exposes foreign data without any isolation layer, which proves that these tests can fail', async () => {
  await using app = await startTestApp();
  const stranger = await app.createAccount();
  const { browser } = await joinAs(app, 'owner');
  await furnish(app, stranger, foreignMarker);
  await arrangeLayers(app, 'no layer');
  for (const path of ['/team', '/keys', '/operators/names', '/users?environment=live'])
    expect(JSON.stringify((await browser.call('GET', path)).body), path).toContain(foreignMarker);
});

/** The statements that services of the dashboard run as operator during some work. */
async function asOperatorDuring(app: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const pool = app.ctx.operator as unknown as Record<string, (...input: unknown[]) => unknown>;
  const watch = (method: 'query' | 'connect', nameOf: (input: unknown[]) => string | null) => {
    const original = pool[method]!;
    pool[method] = (...input) => {
      const name = nameOf(input);
      // Schedules in the background use the same pool.
      if (name !== null && /\/services\/(?:operators|dashboard)\//.test(new Error('for its stack').stack!))
        names.push(name);
      return original.apply(pool, input);
    };
  };
  watch('query', ([query]) => {
    const { name, text } = query as { name?: string; text: string };
    return name ?? text;
  });
  watch('connect', (input) => (input.length === 0 ? 'a transaction' : null)); // a query passes a callback
  try {
    await work();
  } finally {
    for (const method of ['query', 'connect']) delete pool[method]; // uncovers the method of the class
  }
  return names;
}

/** Gives an account one of everything that the dashboard shows, with a marker in each text. */
async function furnish(app: TestApp, account: TestAccount, marker: string): Promise<Belongings> {
  const { uuid: accountId } = account;
  await app.admin.query(`UPDATE accounts SET name = $2, organization_name = $2 WHERE id = $1`, [
    accountId,
    marker,
  ]);
  const user = await insertTestUser(app, account);
  await app.admin.query('UPDATE users SET reference_id = $2 WHERE id = $1', [user, marker]);
  const [device, batch] = [randomUUID(), randomUUID()];
  await app.insertDevice(user, { id: device, provider: 'oura', status: 'active' });
  await app.admin.query(
    `INSERT INTO dead_letters (user_id, batch_id, attempts, reason) VALUES ($1, $2, 8, $3)`,
    [user, batch, marker],
  );
  const webhook = await createTestWebhook(app, { url: `https://example.com/${marker}` }, account.liveKey);
  const [event] = await emitEvents(app, account, user, ['device.connected']);
  return {
    user: formatId('user', user),
    device: formatId('dev', device),
    webhook: webhook.id,
    event: event!,
    batch,
    ...(await furnishTeam(app, accountId, marker)),
  };
}

async function furnishTeam(
  app: TestApp,
  accountId: string,
  marker: string,
): Promise<Pick<Belongings, 'key' | 'operator' | 'invitation'>> {
  const email = `${marker}@example.com`;
  await joinAs(app, 'owner', { accountId, email });
  const operator = await app.admin.query(
    `UPDATE auth.operators SET name = $1 WHERE email = $2 RETURNING id`,
    [marker, email],
  );
  const keys = await app.admin.query(
    `UPDATE api_keys SET hint = $2, created_by = $2 WHERE account_id = $1 RETURNING id, environment`,
    [accountId, marker],
  );
  const link = await app.admin.query(
    `INSERT INTO operator_links (id, account_id, kind, email, role, invited_by, link_hash, link_key_version, created_at, expires_at)
     VALUES (gen_random_uuid(), $1, 'invitation', $2, 'viewer', $3, sha256(gen_random_uuid()::text::bytea), 1, now(), now() + interval '1 day') RETURNING id`,
    [accountId, `${marker}@example.org`, operator.rows[0].id],
  );
  return {
    key: formatId('key', keys.rows.find(({ environment }) => environment === 'live').id),
    operator: formatId('op', operator.rows[0].id),
    invitation: formatId('oli', link.rows[0].id),
  };
}
