import { findProvider, providers } from '@tributary/providers';
import { connect as connectNats } from '@nats-io/transport-node';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { parseId } from '../../ids.ts';
import { unsealTokens } from '../../services/connections/seal-tokens.ts';
import {
  consentAt,
  continueFrom,
  redirectUrl,
  startConnectApp,
  type ConnectApp,
} from '../../test/apps/connect-app.ts';
import { readStyleSheet } from './style-sheet.ts';

const lines: string[] = [];
let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp({}, { LOG_LEVEL: 'trace' }, (line) => lines.push(line));
});
afterAll(() => app[Symbol.asyncDispose]());

let people = 0;

/** Returns a lab person that no other test uses, because consents belong to a person across tests. */
const newPerson = () => `person-${(people += 1)}`;

interface Shown {
  status: number;
  headers: Headers;
  body: string;
  heading: string;
  badge: string | null;
}

async function shown(response: Response | Promise<Response>): Promise<Shown> {
  const { status, headers, ...rest } = await Promise.resolve(response).then(async (page) => ({
    status: page.status,
    headers: page.headers,
    body: await page.text(),
  }));
  const plain = (pattern: RegExp) =>
    pattern
      .exec(rest.body)?.[1]
      ?.replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return {
    status,
    headers,
    body: rest.body,
    heading: plain(/<h1>([\s\S]*?)<\/h1>/) ?? '',
    badge: plain(/<p class="badge[^"]*">([\s\S]*?)<\/p>/) ?? null,
  };
}

const fetchPage = (url: string, init: RequestInit = {}) => shown(fetch(url, { redirect: 'manual', ...init }));
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetchPage(url, { method: 'POST', body: new URLSearchParams(fields), headers });

/** Creates a pending device and its connect page. An empty `back` omits the redirect URL. */
async function startConnection(back = redirectUrl, provider = 'oura') {
  const userId = await app.createUser();
  const { id, auth_url: url } = (await app.connect(userId, provider, back || undefined)).body.data;
  return { userId, id: id as string, url: url as string };
}

/** Consents at the provider and stops before following the redirect back. */
async function startAndConsent(back = redirectUrl, decision: 'allow' | 'deny' = 'allow') {
  const connection = await startConnection(back);
  const person = newPerson();
  const { consentUrl, cookie } = await continueFrom(connection.url);
  const { back: returned } = await consentAt(consentUrl, person, { decision });
  return { ...connection, person, cookie, back: returned! };
}

const statusOf = async ({ userId, id }: { userId: string; id: string }) =>
  (await app.request('GET', `/v1/users/${userId}/devices`)).body.data.find(
    (device: { id: string }) => device.id === id,
  )?.status;

async function linkStatusOf({ id }: { id: string }): Promise<string[]> {
  const { rows } = await app.admin.query(
    'SELECT status FROM connect_links WHERE device_id = $1 ORDER BY created_at',
    [parseId('dev', id)],
  );
  return rows.map(({ status }) => status);
}

async function storedConnectionOf({ id }: { id: string }) {
  const { rows } = await app.admin.query(
    'SELECT tokens, external_id, due_at FROM connections WHERE device_id = $1',
    [parseId('dev', id)],
  );
  return rows[0];
}

const nothing = { tokens: null, external_id: null, due_at: null };
const consentsOf = (person: string) => app.lab.grants().filter(({ personId }) => personId === person);

describe('200', () => {
  test.each(providers.map(({ id }) => id))(
    '%s: the page names the organization, the data and how to stop sharing',
    async (id) => {
      const { name, reads } = findProvider(id)!;
      const { url } = await startConnection(redirectUrl, id);
      const { status, heading, body } = await fetchPage(url);
      expect(status).toBe(200);
      expect(heading).toBe(`Connect ${name} to Demo Health`);
      const terms = [...body.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, term]) => term);
      expect(terms).toEqual([
        ...reads.map(({ category }) => category),
        'Time period',
        'Read only',
        'How to stop',
      ]);
      const buttons = [...body.matchAll(/<button[^>]*>([\s\S]*?)<\/button>/g)].map(([, text]) =>
        text!.trim(),
      );
      expect(buttons).toEqual([`Continue to ${name}`, 'Not now']);
      expect(Buffer.byteLength(body) + Buffer.byteLength(readStyleSheet().text)).toBeLessThan(30 * 1024);
      expect(body).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:|https?:\/\/(?!www\.w3)/i);
    },
  );

  test('viewing the page changes nothing', async () => {
    const connection = await startConnection();
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
      expect((await fetchPage(`${connection.url}?utm_source=mail&choice=continue`, { method })).status).toBe(
        200,
      );
    expect(await linkStatusOf(connection)).toEqual(['open']);
    expect(await statusOf(connection)).toBe('pending');
  });

  test('shows a page after cancelling without a redirect URL', async () => {
    const connection = await startConnection('');
    const { status, heading, badge } = await post(connection.url, { choice: 'cancel' });
    expect([status, heading, badge]).toEqual([200, 'Oura was not connected', 'Not connected']);
    expect(await statusOf(connection)).toBe('pending');
    expect(await linkStatusOf(connection)).toEqual(['cancelled']);
  });

  test('shows a page after connecting without a redirect URL', async () => {
    const connection = await startAndConsent('');
    const { status, heading, badge, body } = await fetchPage(connection.back, {
      headers: { cookie: connection.cookie },
    });
    expect([status, heading, badge]).toEqual([200, 'Oura is connected to Demo Health', 'Connected']);
    expect(body).not.toContain('class="button"');
    expect(await statusOf(connection)).toBe('active');
  });

  test('shows a page after declining at the provider without a redirect URL', async () => {
    const connection = await startAndConsent('', 'deny');
    const { status, heading } = await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
    expect([status, heading]).toEqual([200, 'You did not allow access to Oura']);
    expect(await storedConnectionOf(connection)).toEqual(nothing);
  });

  test('asks for confirmation in another browser and connects after it', async () => {
    const connection = await startAndConsent();
    for (const headers of [{}, { cookie: `__Host-tributary_connect=${createSecretToken('cb_')}` }]) {
      const { status, heading, body } = await fetchPage(connection.back, { headers });
      expect([status, heading]).toEqual([200, 'Are you connecting Oura to Demo Health?']);
      expect(body).toContain('stop: they would be able to read your data');
      expect(await statusOf(connection)).toBe('pending');
      expect(await storedConnectionOf(connection)).toEqual(nothing);
    }
    const fields = Object.fromEntries(new URL(connection.back).searchParams);
    const { status, headers } = await post(`${app.url}/connect/callback`, fields);
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=connected&device_id=${connection.id}&provider=oura`,
    ]);
    expect(await statusOf(connection)).toBe('active');
  });

  test('the confirmation form carries every parameter of the provider', async () => {
    const connection = await startAndConsent();
    const { body } = await fetchPage(connection.back);
    const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    expect(Object.fromEntries(fields.map(([, name, value]) => [name, value]))).toEqual(
      Object.fromEntries(new URL(connection.back).searchParams),
    );
  });
});

describe('303', () => {
  test('redirects to the provider once and sets a browser cookie', async () => {
    const connection = await startConnection();
    const { response, consentUrl } = await continueFrom(connection.url);
    expect(response.status).toBe(303);
    const onwards = new URL(consentUrl);
    expect(onwards.origin).toBe(app.lab.url);
    expect(onwards.searchParams.get('redirect_uri')).toBe(`${app.url}/connect/callback`);
    expect(onwards.searchParams.get('state')).toMatch(/^cs_[0-9A-Za-z]{49}$/);
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-tributary_connect=cb_[0-9A-Za-z]{49}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1800$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await linkStatusOf(connection)).toEqual(['continued']);
  });

  test('redirects to the app after connecting and clears the cookie', async () => {
    const connection = await startAndConsent();
    const { status, headers } = await fetchPage(connection.back, {
      headers: { cookie: `a=b; ${connection.cookie}; c=d` },
    });
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=connected&device_id=${connection.id}&provider=oura`,
    ]);
    expect(headers.get('set-cookie')).toMatch(/^__Host-tributary_connect=; .*Max-Age=0$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(await statusOf(connection)).toBe('active');
  });

  test("keeps the redirect URL's query but overwrites a forged status", async () => {
    const connection = await startAndConsent(`${redirectUrl}?flow=7&status=forged`);
    const { headers } = await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
    expect(Object.fromEntries(new URL(headers.get('location')!).searchParams)).toEqual({
      flow: '7',
      status: 'connected',
      device_id: connection.id,
      provider: 'oura',
    });
  });

  test('redirects to the app after "Not now" and ends the link', async () => {
    const connection = await startConnection();
    await expectLeft(connection, await post(connection.url, { choice: 'cancel' }), 'cancelled');
  });

  test('redirects to the app after declining at the provider and ends the link', async () => {
    const connection = await startAndConsent(redirectUrl, 'deny');
    await expectLeft(
      connection,
      await fetchPage(connection.back, { headers: { cookie: connection.cookie } }),
      'declined',
    );
  });

  async function expectLeft(
    connection: { userId: string; id: string; url: string },
    left: Shown,
    status: string,
  ) {
    expect([left.status, left.headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=${status}&device_id=${connection.id}&provider=oura`,
    ]);
    expect(await statusOf(connection)).toBe('pending');
    expect(await storedConnectionOf(connection)).toEqual(nothing);
    expect(await linkStatusOf(connection)).toEqual([status]);
    expect((await fetchPage(connection.url)).status).toBe(410);
  }

  test('redirects to an app with a custom URL scheme', async () => {
    await app.admin.query('UPDATE accounts SET redirect_urls = $1', [
      [redirectUrl, 'demo.health://connected'],
    ]);
    const connection = await startAndConsent('demo.health://connected');
    const { headers } = await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
    expect(headers.get('location')).toBe(
      `demo.health://connected?status=connected&device_id=${connection.id}&provider=oura`,
    );
  });
});

describe('400', () => {
  test.each<[string, Record<string, string>]>([
    ['an unknown choice', { choice: 'perhaps' }],
    ['no choice', {}],
    ['a choice in another field', { action: 'continue' }],
  ])('%s changes nothing', async (_name, fields) => {
    const connection = await startConnection();
    const { status, heading } = await post(connection.url, fields);
    expect([status, heading]).toEqual([400, 'We could not read your choice']);
    expect(await linkStatusOf(connection)).toEqual(['open']);
  });

  test('rejects JSON', async () => {
    const connection = await startConnection();
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetchPage(connection.url, {
      method: 'POST',
      body: '{"choice":"continue"}',
      headers,
    });
    expect(status).toBe(400);
    expect(await linkStatusOf(connection)).toEqual(['open']);
  });
});

describe('403', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['another site with a null origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
  ])('rejects a form from %s', async (_name, headers) => {
    const connection = await startConnection();
    for (const choice of ['continue', 'cancel']) {
      const left = await post(connection.url, { choice }, headers);
      expect([left.status, left.heading]).toEqual([403, 'This request came from another website']);
      expect(left.headers.get('set-cookie')).toBeNull();
    }
    expect(await linkStatusOf(connection)).toEqual(['open']);
  });

  test('rejects a cross-site confirmation', async () => {
    const connection = await startAndConsent();
    const fields = Object.fromEntries(new URL(connection.back).searchParams);
    const { status } = await post(`${app.url}/connect/callback`, fields, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
    expect(await statusOf(connection)).toBe('pending');
  });
});

describe('404', () => {
  test.each<[string, (token: string) => string]>([
    ['a truncated link', (token) => token.slice(0, -1)],
    ['a link with a typo', (token) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['a link of another kind', () => createSecretToken('ml_')],
    ['a link that was never issued', () => createSecretToken('cl_')],
  ])('does not open %s', async (_name, twist) => {
    const { url } = await startConnection();
    const path = `${app.url}/connect/${twist(url.split('/').at(-1)!)}`;
    for (const response of [
      await fetchPage(path),
      await post(path, { choice: 'continue' }),
      await post(path, { choice: 'cancel' }),
    ]) {
      expect([response.status, response.heading]).toEqual([404, 'We do not recognize this link']);
      // This flow sends no mail, so the page must not mention one.
      expect(response.body).not.toMatch(/>[^<]*(mail|invited)/);
    }
  });

  test.each(['', 'state=', 'state=nonsense&code=x', `code=x`])(
    'rejects the callback query ?%s',
    async (query) => {
      expect((await fetchPage(`${app.url}/connect/callback?${query}`)).status).toBe(404);
      expect(
        (await fetchPage(`${app.url}/connect/callback?state=${createSecretToken('cs_')}&code=x`)).status,
      ).toBe(404);
      expect(
        (await post(`${app.url}/connect/callback`, { state: createSecretToken('cs_'), code: 'x' })).status,
      ).toBe(404);
    },
  );

  test('rejects a link as a state and a state as a link', async () => {
    const connection = await startAndConsent();
    const state = new URL(connection.back).searchParams.get('state')!;
    expect((await fetchPage(`${app.url}/connect/${state}`)).status).toBe(404);
    const link = connection.url.split('/').at(-1)!;
    expect((await fetchPage(`${app.url}/connect/callback?state=${link}&code=x`)).status).toBe(404);
    expect(await statusOf(connection)).toBe('pending');
  });
});

describe('410', () => {
  test('shows that the link was used after continuing, with a way back to the app', async () => {
    const connection = await startConnection();
    await continueFrom(connection.url);
    for (const response of [
      await post(connection.url, { choice: 'continue' }),
      await fetchPage(connection.url),
      await post(connection.url, { choice: 'cancel' }),
    ]) {
      expect([response.status, response.heading, response.badge]).toEqual([
        410,
        'This link has already been used',
        'Used',
      ]);
      expect(response.headers.get('set-cookie')).toBeNull();
      // One element, because the button collapses whitespace between two.
      expect(response.body).toContain('<span>Back to <bdi>Demo Health</bdi></span>');
    }
  });

  test('lets one of several concurrent requests continue', async () => {
    const connection = await startConnection();
    const responses = await Promise.all(Array.from({ length: 8 }, () => continueFrom(connection.url)));
    expect(responses.map(({ response }) => response.status).toSorted()).toEqual([303, ...Array(7).fill(410)]);
  });

  test('accepts a callback once', async () => {
    const connection = await startAndConsent();
    const headers = { cookie: connection.cookie };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => fetchPage(connection.back, { headers })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410]);
    const storedConnection = await storedConnectionOf(connection);
    const again = await fetchPage(connection.back, { headers });
    expect([again.status, again.heading]).toEqual([410, 'Oura is connected to Demo Health']);
    // The app receives the device id however the person returns.
    expect(again.body).toContain(`status=connected&amp;device_id=${connection.id}&amp;provider=oura`);
    expect(await storedConnectionOf(connection)).toEqual(storedConnection);
    expect((await fetchPage(connection.url)).status).toBe(410);
  });

  describe('after time passes', () => {
    afterEach(() => app.moveClock(0));

    test('rejects every choice on a link older than 30 minutes', async () => {
      const [connection, other] = [await startConnection(), await startConnection()];
      await app.moveClock(29 * 60_000);
      expect((await fetchPage(connection.url)).status).toBe(200);
      await app.moveClock(31 * 60_000);
      for (const response of [
        await fetchPage(connection.url),
        await post(connection.url, { choice: 'continue' }),
        await post(other.url, { choice: 'cancel' }),
      ])
        expect([response.status, response.heading, response.badge]).toEqual([
          410,
          'This link has expired',
          'Expired',
        ]);
      expect(await statusOf(connection)).toBe('pending');
    });

    test('rejects a late callback and stores nothing', async () => {
      const connection = await startAndConsent();
      await app.moveClock(31 * 60_000);
      for (const response of [
        await fetchPage(connection.back, { headers: { cookie: connection.cookie } }),
        await fetchPage(connection.back),
        await post(`${app.url}/connect/callback`, Object.fromEntries(new URL(connection.back).searchParams)),
      ])
        expect([response.status, response.heading]).toEqual([410, 'This link has expired']);
      expect(await storedConnectionOf(connection)).toEqual(nothing);
    });
  });
});

describe('502', () => {
  test('an invalid code connects nothing and is not retried', async () => {
    const connection = await startAndConsent('');
    const wrong = new URL(connection.back);
    wrong.searchParams.set('code', 'invalid');
    const headers = { cookie: connection.cookie };
    const { status, heading, badge } = await fetchPage(wrong.href, { headers });
    expect([status, heading, badge]).toEqual([502, 'We could not connect Oura', 'Connection failed']);
    expect(await storedConnectionOf(connection)).toEqual(nothing);
    expect(await linkStatusOf(connection)).toEqual(['failed']);
    expect(await statusOf(connection)).toBe('pending');
    expect((await fetchPage(connection.back, { headers })).status).toBe(410);
    expect(await statusOf(connection)).toBe('pending');
    const again = (await app.connect(connection.userId, 'oura')).body.data;
    expect((await app.authorize(again.auth_url, connection.person)).status).toBe(200);
    expect(await statusOf(connection)).toBe('active');
  });

  test('redirects to the app with the failure', async () => {
    const connection = await startAndConsent();
    const { status, headers } = await fetchPage(connection.back.replace(/code=[^&]+/, 'code=invalid'), {
      headers: { cookie: connection.cookie },
    });
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=failed&device_id=${connection.id}&provider=oura`,
    ]);
  });

  test.each(['server_error', 'temporarily_unavailable', 'invalid_scope'])(
    'treats the provider error %s as a failure, not a decline',
    async (error) => {
      const connection = await startAndConsent('');
      const state = new URL(connection.back).searchParams.get('state');
      const { status, heading } = await fetchPage(
        `${app.url}/connect/callback?state=${state}&error=${error}`,
      );
      expect([status, heading]).toEqual([502, 'We could not connect Oura']);
      expect(await linkStatusOf(connection)).toEqual(['failed']);
    },
  );

  test('reports a missing provider app before redirecting to the provider', async () => {
    const connection = await startConnection('');
    const { config } = app.ctx;
    (app.ctx as { config: unknown }).config = { ...config, lab: null };
    const left = await post(connection.url, { choice: 'continue' });
    (app.ctx as { config: unknown }).config = config;
    expect([left.status, left.heading]).toEqual([503, 'We could not connect Oura']);
    expect((await fetchPage(connection.url)).status).toBe(200);
  });
});

describe('removal during the flow', () => {
  const ways: [string, (connection: { userId: string; id: string }) => Promise<unknown>][] = [
    ['the user was deleted', ({ userId }) => app.request('DELETE', `/v1/users/${userId}`)],
    [
      'the device was removed',
      ({ userId, id }) => app.request('DELETE', `/v1/users/${userId}/devices/${id}`),
    ],
  ];

  test.each(ways)('%s: the page no longer offers to connect', async (_name, remove) => {
    const connection = await startConnection('');
    await remove(connection);
    for (const response of [
      await fetchPage(connection.url),
      await post(connection.url, { choice: 'continue' }),
    ])
      expect(response.status).toBe(410);
  });

  test.each(ways)(
    '%s: the callback connects nothing and ends the consent at the provider',
    async (_name, remove) => {
      const connection = await startAndConsent('');
      await remove(connection);
      const { status } = await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
      expect([410, 502]).toContain(status);
      expect(await storedConnectionOf(connection)).toEqual(nothing);
      expect(await statusOf(connection).catch(() => undefined)).toBeUndefined();
      const events = await app.admin.query(
        `SELECT FROM events WHERE user_id = $1 AND type = 'device.connected'`,
        [parseId('user', connection.userId)],
      );
      expect(events.rowCount).toBe(0);
    },
  );

  test('the device was removed and requested again: the old callback connects neither', async () => {
    const connection = await startAndConsent('');
    await app.request('DELETE', `/v1/users/${connection.userId}/devices/${connection.id}`);
    const again = (await app.connect(connection.userId, 'oura')).body.data;
    await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
    expect(await statusOf({ ...connection, id: again.id })).toBe('pending');
    expect(await storedConnectionOf(again)).toEqual(nothing);
  });

  test('revokes the new consent if the device is removed during the token exchange', async () => {
    const connection = await startAndConsent('');
    app.lab.faults.on({ kind: 'slow', provider: 'oura', rate: 1, delayMs: 1_500 });
    const returning = fetchPage(connection.back, { headers: { cookie: connection.cookie } });
    await expect.poll(() => linkStatusOf(connection), { interval: 20 }).toEqual(['connected']);
    await app.request('DELETE', `/v1/users/${connection.userId}/devices/${connection.id}`);
    app.lab.faults.off();
    expect((await returning).status).toBe(502);
    expect(await storedConnectionOf(connection)).toEqual(nothing);
    expect(consentsOf(connection.person).map(({ revoked }) => revoked)).toEqual([true]);
  });
});

test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onclick='x", '\u202E&lt;b&gt;'])(
  'escapes the organization name %j',
  async (hostile) => {
    const contact = 'a"b<c>?bcc=x@example.com';
    await app.admin.query('UPDATE accounts SET organization_name = $1, contact_email = $2', [
      hostile,
      contact,
    ]);
    const [connection, other] = [await startAndConsent(''), await startConnection('')];
    const pages = [
      await fetchPage(other.url),
      await fetchPage(connection.back),
      await fetchPage(connection.back, { headers: { cookie: connection.cookie } }),
      await post(other.url, { choice: 'cancel' }),
    ];
    await app.admin.query('UPDATE accounts SET organization_name = $1, contact_email = NULL', [
      'Demo Health',
    ]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const escaped = hostile
      .replaceAll('\u202E', '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    for (const { body } of pages) {
      expect(body).not.toMatch(/<script|<img|onclick='|\u202E|href="mailto:[^"]*[?<>]/);
      expect(body).toContain(`<bdi>${escaped}</bdi>`);
    }
  },
);

test('a hostile redirect URL cannot escape its attribute, header or policy', async () => {
  const hostile = `${redirectUrl}?a="><script>alert(1)</script>&b=%0d%0aSet-Cookie:x=y;script-src *`;
  const connection = await startAndConsent(hostile);
  const { headers } = await fetchPage(
    connection.url.replace(/cl_\w+/, (await startConnection(hostile)).url.split('/').at(-1)!),
  );
  expect(headers.get('content-security-policy')).not.toMatch(/script-src|\*/);
  const back = await fetchPage(connection.back, { headers: { cookie: connection.cookie } });
  expect(back.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/connected\?[^"<>\s]+$/);
  expect(back.headers.get('set-cookie')).toMatch(/^__Host-tributary_connect=;/);
  const { body } = await fetchPage(connection.url);
  expect(body).not.toContain('<script');
});

describe('page restrictions', () => {
  const policyWith = (targets: string) =>
    `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
  const policyOf = ({ headers }: Shown) => headers.get('content-security-policy');

  test('allow the form to submit only to this service, the provider and the app', async () => {
    const { origin } = new URL(redirectUrl);
    expect(policyOf(await fetchPage((await startConnection()).url))).toBe(
      policyWith(`'self' ${app.lab.url} ${origin}`),
    );
    expect(policyOf(await fetchPage((await startConnection('')).url))).toBe(
      policyWith(`'self' ${app.lab.url}`),
    );
    expect(policyOf(await fetchPage((await startAndConsent()).back))).toBe(policyWith(`'self' ${origin}`));
    expect(policyOf(await fetchPage((await startAndConsent('')).back))).toBe(policyWith(`'self'`));
    const used = await startConnection();
    await continueFrom(used.url);
    expect(policyOf(await fetchPage(used.url))).toBe(policyWith(`'self'`));
  });

  test('prevent caching and referrers on every page', async () => {
    const connection = await startAndConsent('');
    for (const page of [
      await fetchPage((await startConnection()).url),
      await fetchPage(connection.back),
      await fetchPage(connection.back, { headers: { cookie: connection.cookie } }),
      await fetchPage(connection.url),
    ])
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      });
  });
});

test('no secret appears in logs, the database, Redis or NATS', async () => {
  await using nats = await listenToAll();
  await using redis = await watchRedis();
  const secrets: string[] = [];
  const [good, confirmed, declined, wrong] = [
    await startAndConsent(),
    await startAndConsent(),
    await startAndConsent(redirectUrl, 'deny'),
    await startAndConsent(),
  ];
  for (const { url, back, cookie } of [good, confirmed, declined, wrong]) {
    const { searchParams } = new URL(back);
    secrets.push(url.split('/').at(-1)!, searchParams.get('state')!, cookie.split('=')[1]!);
    if (searchParams.has('code')) secrets.push(searchParams.get('code')!);
  }
  await fetchPage(good.back, { headers: { cookie: good.cookie } });
  await fetchPage(confirmed.back);
  await post(`${app.url}/connect/callback`, Object.fromEntries(new URL(confirmed.back).searchParams));
  await fetchPage(declined.back, { headers: { cookie: declined.cookie } });
  await fetchPage(`${wrong.back}-wrong`, { headers: { cookie: wrong.cookie } });
  await fetchPage(good.url);
  for (const { id } of [good, confirmed]) {
    const deviceId = parseId('dev', id)!;
    const { accessToken, refreshToken } = unsealTokens(
      app.ctx.keyring,
      deviceId,
      (await storedConnectionOf({ id })).tokens,
    );
    secrets.push(accessToken, refreshToken!);
  }
  expect(secrets.length).toBe(4 * 3 + 3 + 4);
  expect(secrets.every((secret) => secret.length > 5)).toBe(true);

  const places = { log: lines.join(''), database: await dump(), redis: redis.text(), nats: nats.text() };
  // Expected content, so that a check of empty text fails.
  expect(places.log).toContain('"route":"/connect/callback"');
  expect(places.database).toContain(parseId('dev', good.id));
  expect(places.redis).toMatch(/evalsha/i);
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets)
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ])
        expect(text.includes(form), `${secret.slice(0, 3)}… in ${place}`).toBe(false);
});

/** Returns all rows of all tables as text. */
async function dump(): Promise<string> {
  const { rows } = await app.admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(rows.length).toBeGreaterThan(50);
  const parts = [];
  for (const { name } of rows) {
    const table = await app.admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    parts.push(...table.rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

/** Records every Redis command from now on. */
async function watchRedis(): Promise<AsyncDisposable & { text: () => string }> {
  const redis = await createClient({ url: inject('engines').redisUrl }).connect();
  const commands: string[] = [];
  await redis.monitor((command) => void commands.push(command));
  return { text: () => commands.join('\n'), [Symbol.asyncDispose]: async () => redis.destroy() };
}

/** Records every NATS message from now on. */
async function listenToAll(): Promise<AsyncDisposable & { text: () => string }> {
  const connection = await connectNats({ servers: inject('engines').natsUrl });
  const messages: string[] = [];
  connection.subscribe('>', {
    callback: (_error, message) => void messages.push(message.subject, message.string()),
  });
  await connection.flush();
  return { text: () => messages.join('\n'), [Symbol.asyncDispose]: () => connection.close() };
}
