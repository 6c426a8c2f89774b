import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { startPagesApp, type PagesApp } from '../../test/apps/pages-app.ts';

let app: PagesApp;

beforeAll(async () => {
  app = await startPagesApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function statusOf(id: string): Promise<string> {
  return (await app.request('GET', `/v1/team/roster/invitations/${id}`)).body.status;
}

function headingOf(page: string): string {
  const [, heading = ''] = /<h1>([\s\S]*?)<\/h1>/.exec(page) ?? [];
  return heading.replaceAll(/<[^>]+>/g, '').trim();
}

describe('200', () => {
  test('the page names the organization, the data, the invitee and the expiration, and explains both choices', async () => {
    const { path } = await app.invite({ email: 'ada@example.com', name: 'Ada' });
    const { status, body } = await app.request('GET', path, { key: '' });
    expect(status).toBe(200);
    expect(headingOf(body)).toBe('Demo Health invites you to share your health data');
    expect(body).toContain('Hello <bdi>Ada</bdi>.');
    expect(body).toContain('<b><bdi>ada@example.com</bdi></b>');
    const categories = [...body.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, name]) => name);
    expect(categories).toEqual([
      'Activity',
      'Sleep',
      'Heart and vitals',
      'Body',
      'Energy',
      'Nutrition',
      'Reproductive health',
      'Scores',
      'If you accept',
      'If you decline',
      'How long',
      'Reply by',
    ]);
    expect(body).toMatch(/<time datetime="[\d-]+T[\d:.]+Z">\w+ \d+, \d{4}, \d\d:\d\d UTC<\/time>/);
    expect(body).toContain('mailto:care@demo-health.example');
    expect(body).toContain('Nothing is shared unless you accept.');
  });

  test('does not promise secrecy for a user whose data the organization already has', async () => {
    const user = await app.request('POST', '/v1/users', { body: { reference_id: 'kept' } });
    const { path } = await app.invite({ user_id: user.body.data.id });
    const { body } = await app.request('GET', path, { key: '' });
    expect(body).not.toContain('Nothing is shared');
    expect(body).toContain('already has health data about you');
  });

  test('accepting creates a member and links to their page', async () => {
    const { id, path } = await app.invite();
    const { status, body } = await app.post(path, { choice: 'accept' });
    expect(status).toBe(200);
    expect(headingOf(body)).toBe('You now share your health data with Demo Health');
    expect(await statusOf(id)).toBe('accepted');
    const [, membership] = /href="(\/memberships\/ml_\w+)"/.exec(body) ?? [];
    expect((await app.request('GET', membership!, { key: '' })).status).toBe(200);
  });

  test('declining shares nothing', async () => {
    const { id, path } = await app.invite();
    const { status, body } = await app.post(path, { choice: 'decline' });
    expect(status).toBe(200);
    expect(headingOf(body)).toBe('You declined the invitation');
    expect(body).toContain('Nothing was shared.');
    expect(await statusOf(id)).toBe('declined');
  });

  test('viewing the page changes nothing', async () => {
    const { id, path } = await app.invite();
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await app.request(method, `${path}?utm_source=mail&choice=accept`, { key: '' })).status).toBe(
        200,
      );
    }
    expect(await statusOf(id)).toBe('pending');
  });
});

describe('400', () => {
  test.each<[string, Record<string, string>]>([
    ['an unknown choice', { choice: 'maybe' }],
    ['no choice', {}],
    ['a choice in another field', { action: 'accept' }],
  ])('%s changes nothing', async (_name, fields) => {
    const { id, path } = await app.invite();
    const { status, body } = await app.post(path, fields);
    expect([status, headingOf(body)]).toEqual([400, 'We could not read your choice']);
    expect(await statusOf(id)).toBe('pending');
  });

  test('rejects JSON', async () => {
    const { id, path } = await app.invite();
    const { status, body } = await app.request('POST', path, { body: { choice: 'accept' } });
    expect([status, headingOf(body)]).toEqual([400, 'We could not read your choice']);
    expect(await statusOf(id)).toBe('pending');
  });
});

describe('404', () => {
  test.each([
    ['a truncated link', () => app.invite().then(({ path }) => path.slice(0, -1))],
    [
      'a link with a typo',
      () => app.invite().then(({ path }) => path.slice(0, -1) + (path.endsWith('0') ? '1' : '0')),
    ],
    ['a link of another kind', async () => `/invitations/${createSecretToken('ml_')}`],
    ['a link that was never issued', async () => `/invitations/${createSecretToken('il_')}`],
  ])('does not open %s', async (_name, makePath) => {
    const path = await makePath();
    const getResponse = await app.request('GET', path, { key: '' });
    expect([getResponse.status, headingOf(getResponse.body)]).toEqual([404, 'We do not recognize this link']);
    const postResponse = await app.post(path, { choice: 'accept' });
    expect([postResponse.status, headingOf(postResponse.body)]).toEqual([
      404,
      'We do not recognize this link',
    ]);
  });
});

test('returns 409 if the organization cannot accept members, and keeps the invitation pending', async () => {
  const { id, path } = await app.invite();
  await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [app.account.uuid]);
  const { status, body } = await app.post(path, { choice: 'accept' });
  expect([status, headingOf(body)]).toEqual([409, 'Demo Health cannot accept new members right now']);
  await app.admin.query(`UPDATE accounts SET status = 'active' WHERE id = $1`, [app.account.uuid]);
  app.ctx.credentials.clear();
  expect(await statusOf(id)).toBe('pending');
  expect((await app.post(path, { choice: 'accept' })).status).toBe(200);
});

describe('410', () => {
  test.each(['accept', 'decline'])('shows the earlier choice after %s', async (choice) => {
    const { id, path } = await app.invite();
    await app.post(path, { choice });
    const after = await statusOf(id);
    for (const again of ['accept', 'decline']) {
      const { status, body } = await app.post(path, { choice: again });
      expect([status, headingOf(body)]).toEqual([410, `You already ${after} this invitation`]);
    }
    expect((await app.request('GET', path, { key: '' })).status).toBe(410);
    expect(await statusOf(id)).toBe(after);
  });

  test('a revoked invitation cannot be accepted or declined', async () => {
    const { id, path } = await app.invite();
    await app.request('DELETE', `/v1/team/roster/invitations/${id}`);
    for (const { status, body } of [
      await app.request('GET', path, { key: '' }),
      await app.post(path, { choice: 'accept' }),
    ]) {
      expect([status, headingOf(body)]).toEqual([410, 'Demo Health has withdrawn this invitation']);
      expect(body).toContain('mailto:care@demo-health.example');
    }
  });

  test('an expired invitation cannot be accepted or declined', async () => {
    const { path } = await app.invite();
    await app.moveClock(14 * 86_400_000 + 60_000);
    for (const { status, body } of [
      await app.request('GET', path, { key: '' }),
      await app.post(path, { choice: 'accept' }),
    ]) {
      expect([status, headingOf(body)]).toEqual([410, 'This invitation has expired']);
    }
    await app.moveClock(0);
  });
});

test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onclick='x", '\u202E&lt;b&gt;'])(
  'escapes the name %j',
  async (hostile) => {
    await app.nameOrganization(hostile, 'a"b<c>?bcc=x@example.com');
    const { path } = await app.invite({ name: hostile });
    for (const { body } of [
      await app.request('GET', path, { key: '' }),
      await app.post(path, { choice: 'decline' }),
      await app.request('GET', path, { key: '' }),
    ]) {
      expect(body).not.toMatch(/<script|<img|onclick='|\u202E|href="mailto:[^"]*[?<>]/);
      const escaped = hostile
        .replaceAll('\u202E', '')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;');
      expect(body).toContain(`<bdi>${escaped}</bdi>`);
    }
    await app.nameOrganization('Demo Health', 'care@demo-health.example');
  },
);
