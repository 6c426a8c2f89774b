import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { startPagesApp, type PagesApp } from '../../test/apps/pages-app.ts';
import type { TestResponse } from '../../test/apps/test-app.ts';
import { readStyleSheet } from './style-sheet.ts';

let app: PagesApp;
const lines: string[] = [];

beforeAll(async () => {
  app = await startPagesApp({ LOG_LEVEL: 'trace' }, (line) => lines.push(line));
});
afterAll(() => app[Symbol.asyncDispose]());

const getPage = (path: string) => app.request('GET', path, { key: '' });

async function accept(): Promise<{ accepted: TestResponse; path: string; membership: string }> {
  const { path } = await app.invite({ name: 'Ada' });
  const accepted = await app.post(path, { choice: 'accept' });
  return { accepted, path, membership: /\/memberships\/ml_\w+/.exec(accepted.body)![0] };
}

/** Returns one page of each kind with its expected status. */
async function everyKind(): Promise<[status: number, response: TestResponse][]> {
  const { accepted, path, membership } = await accept();
  const pending = (await app.invite({ name: 'Ada' })).path;
  return [
    [200, await getPage(pending)],
    [400, await app.post(pending, { choice: 'perhaps' })],
    [403, await app.post(pending, { choice: 'accept' }, { origin: 'https://elsewhere.example' })],
    [413, await app.post(pending, { choice: 'x'.repeat(4_000) })],
    [200, await app.post(pending, { choice: 'decline' })],
    [200, accepted],
    [410, await getPage(path)],
    [404, await getPage('/invitations/nonsense')],
    [200, await getPage(membership)],
    [400, await app.post(membership, { action: 'leave_and_erase' })],
    [200, await app.post(membership, { action: 'leave' })],
    [410, await app.post(membership, { action: 'leave' })],
  ];
}

test('every page may load only its style sheet and submit only its form', async () => {
  for (const [status, response] of await everyKind()) {
    expect(response.status).toBe(status);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'cross-origin-opener-policy': 'same-origin',
      'request-id': expect.stringMatching(/^req_/),
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(response.body).not.toMatch(
      /<script|<style|\sstyle=|\son[a-z]+=|javascript:|https?:\/\/(?!www\.w3)/i,
    );
    expect(response.body.match(/<h1>/g)).toHaveLength(1);
    expect(response.body).toMatch(/<html lang="en">[\s\S]*<header[\s\S]*<main>[\s\S]*<footer>/);
    expect(Buffer.byteLength(response.body) + Buffer.byteLength(readStyleSheet().text)).toBeLessThan(
      30 * 1024,
    );
  }
});

describe('style sheet', () => {
  test('has the path that pages link to and can be cached indefinitely', async () => {
    const [, path] = /rel="stylesheet" href="([^"]+)"/.exec((await getPage('/invitations/x')).body) ?? [];
    expect(path).toMatch(/^\/pages\/page-[0-9a-f]{16}\.css$/);
    const { status, headers, body } = await getPage(path!);
    expect(status).toBe(200);
    expect(body).toBe(readStyleSheet().text);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('returns 404 for another content hash', async () => {
    expect((await getPage('/pages/page-0123456789abcdef.css')).status).toBe(404);
  });
});

describe('form', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['another site with a null origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['an invalid origin', { origin: 'elsewhere' }],
  ])('from %s is rejected', async (_name, headers) => {
    const { id, path } = await app.invite();
    const { status, body } = await app.post(path, { choice: 'accept' }, headers);
    expect(status).toBe(403);
    expect(body).toContain('This request came from another website');
    expect((await app.request('GET', `/v1/team/roster/invitations/${id}`)).body.status).toBe('pending');
  });

  test.each([
    ['our page', () => ({ origin: app.url, 'sec-fetch-site': 'same-origin' })],
    ['our page with a null origin', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ['our page at its public URL', () => ({ origin: new URL(app.ctx.config.http.publicUrl).origin })],
    ['a browser without these headers', () => ({})],
  ])('from %s is accepted', async (_name, headers) => {
    const { path } = await app.invite();
    expect((await app.post(path, { choice: 'decline' }, headers())).status).toBe(200);
  });
});

test('limits how many links an address opens without affecting other requests', async () => {
  await using slow = await startPagesApp({
    ADDRESS_LIMIT_PER_SECOND: '1',
    ADDRESS_LIMIT_BURST: '3',
    REDIS_URL: '', // other tests send requests from the same address at the same time
  });
  const { id, path } = await slow.invite();
  let response = await slow.request('GET', path, { key: '' });
  for (let times = 0; times < 5 && response.status !== 429; times += 1)
    response = await slow.request('GET', path, { key: '' });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.body).toContain('Too many requests');
  expect((await slow.post(path, { choice: 'accept' })).status).toBe(429);
  expect((await slow.request('GET', `/v1/team/roster/invitations/${id}`)).body.status).toBe('pending');
  const exchange = await slow.request('POST', '/v1/sdk/sessions/exchange', {
    key: '',
    body: { client_token: createSecretToken('ct_') },
  });
  expect(exchange.status).toBe(401);
});

test('a server error is a page with the request id and is logged without the link', async () => {
  const { path } = await app.invite();
  const token = path.split('/').at(-1)!;
  await app.admin.query('ALTER TABLE roster_invitations RENAME TO elsewhere');
  const responses = [await getPage(path), await app.post(path, { choice: 'accept' })];
  const typo = await getPage(path.slice(0, -1));
  await app.admin.query('ALTER TABLE elsewhere RENAME TO roster_invitations');
  for (const { status, headers, body } of responses) {
    expect(status).toBe(500);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toContain('Something went wrong on our side');
    expect(body).toContain(`<code>${headers.get('request-id')}</code>`);
    expect(body).not.toMatch(/relation|roster_invitations|at \w+ \(/);
    const logged = lines.filter((line) => line.includes(headers.get('request-id')!));
    expect(logged.join('')).toContain('"route":"/invitations/:token"');
    expect(logged.join('')).toContain('relation');
  }
  expect(lines.join('')).not.toContain(token);
  expect(typo.status, 'a malformed link needs no database query').toBe(404);
});

test('no log line of a page contains a link, an address or a name', async () => {
  const { path, membership } = await accept();
  await getPage(path);
  await getPage(membership);
  await getPage(path.slice(0, -1));
  await app.post(membership, { action: 'leave' });
  const log = lines.join('');
  expect(log).toContain('"route":"/memberships/:token"');
  expect(log).not.toMatch(/[im]l_[0-9A-Za-z]{20}|@example\.com|Ada|Demo Health/);
});
