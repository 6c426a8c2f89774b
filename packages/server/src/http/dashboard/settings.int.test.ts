import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { insertTestUser } from '../../test/webhooks.ts';

let app: TestApp;
let other: TestAccount;
let owner: TestBrowser;
let developer: TestBrowser;
let viewer: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
  ({ browser: owner } = await joinAs(app, 'owner'));
  ({ browser: developer } = await joinAs(app, 'developer'));
  ({ browser: viewer } = await joinAs(app, 'viewer'));
});
afterAll(() => app[Symbol.asyncDispose]());

describe('settings', () => {
  test('every role reads the settings of its own account', async () => {
    await insertTestUser(app, app.account);
    await insertTestUser(app, other);
    await app.admin.query(`UPDATE accounts SET name = 'Foreign' WHERE id = $1`, [other.uuid]);
    for (const browser of [owner, developer, viewer])
      expect((await browser.call('GET', '/settings')).body).toEqual({
        name: 'Test',
        default_form: 1,
        organization_name: null,
        contact_email: null,
        redirect_urls: [],
        sync_interval_seconds: 900,
        require_authenticator: false,
        plan: {
          user_limit: null,
          users: { live: 1, sandbox: 0 },
          uploads_today: { live: 0, sandbox: 0 },
          uploads_per_day: null,
          values_today: { live: 0, sandbox: 0 },
          values_per_day: null,
          requests_per_second: 100,
          request_burst: 200,
          streams: 1_000,
          suspended: false,
        },
        public_url: app.ctx.config.http.publicUrl,
        mail: { configured: false },
      });
  });

  test('an owner changes the settings of their own account only, with an audit entry', async () => {
    const changes = {
      name: ' Renamed ',
      default_form: 2,
      organization_name: 'Demo Health',
      contact_email: 'team@example.org',
      sync_interval_seconds: 300,
      add_redirect_urls: ['HTTPS://app.example.com/connected', 'myapp://connected'],
    };
    const { status, body } = await owner.call('PATCH', '/settings', changes);
    expect(status).toBe(200);
    const { add_redirect_urls: _added, ...otherChanges } = changes;
    expect(body).toMatchObject({
      ...otherChanges,
      name: 'Renamed',
      redirect_urls: ['https://app.example.com/connected', 'myapp://connected'],
    });
    const { rows } = await app.admin.query(
      `SELECT actor_type AS actor FROM audit_intake WHERE action = 'account.updated' AND account_id = $1`,
      [app.account.uuid],
    );
    expect(rows).toEqual([{ actor: 'operator' }]);
    const cleared = await owner.call('PATCH', '/settings', {
      organization_name: null,
      remove_redirect_urls: ['myapp://connected'],
    });
    expect(cleared.body).toMatchObject({
      organization_name: null,
      redirect_urls: ['https://app.example.com/connected'],
      contact_email: 'team@example.org',
    });
    const { rows: foreign } = await app.admin.query('SELECT name FROM accounts WHERE id = $1', [other.uuid]);
    expect(foreign).toEqual([{ name: 'Foreign' }]);
  });

  test.each([
    ['name', { name: '  ' }],
    ['organization_name', { organization_name: 'two\nlines' }],
    ['contact_email', { contact_email: 'unknown' }],
    ['sync_interval_seconds', { sync_interval_seconds: 59 }],
    ['add_redirect_urls', { add_redirect_urls: ['https://app.example.com/?x=1'] }],
    ['add_redirect_urls', { add_redirect_urls: ['javascript:alert(1)'] }],
    [
      'add_redirect_urls',
      { add_redirect_urls: Array.from({ length: 50 }, (_, at) => `https://app.example.com/${at}`) },
    ],
    ['default_form', { default_form: 3 }],
  ])('names the field %s when its value is invalid', async (field, change) => {
    const { status, body } = await owner.call('PATCH', '/settings', change);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body)).toContain(field);
  });

  test('rejects an empty change and unknown settings', async () => {
    for (const change of [{}, { user_limit: 5 }])
      expect((await owner.call('PATCH', '/settings', change)).status).toBe(400);
  });

  test('developers and viewers cannot change settings', async () => {
    for (const browser of [developer, viewer])
      expect((await browser.call('PATCH', '/settings', { name: 'x' })).body.error).toBe('role_too_low');
  });
});

test('returns the names of dashboard users of one account', async () => {
  await joinAs(app, 'owner', { accountId: other.uuid });
  const { rows } = await app.admin.query(
    'SELECT operator_id AS id FROM operator_roles WHERE account_id = $1',
    [app.account.uuid],
  );
  const { body } = await viewer.call('GET', '/operators/names');
  expect(Object.keys(body.names).toSorted()).toEqual(rows.map(({ id }) => formatId('op', id)).toSorted());
  expect(Object.values(body.names)).toContain('The developer');
});
