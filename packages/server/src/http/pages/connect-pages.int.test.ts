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
} from '../../test/connect-app.ts';
import { readStyleSheet } from './style-sheet.ts';

const lines: string[] = [];
let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp({}, { LOG_LEVEL: 'trace' }, (line) => lines.push(line));
});
afterAll(() => app[Symbol.asyncDispose]());

let people = 0;

/** Somebody of the lab whom no other test knows: a consent is the person's, whoever asked for it. */
const somebody = () => `person-${(people += 1)}`;

interface Shown {
  status: number;
  headers: Headers;
  body: string;
  heading: string;
  badge: string | null;
}

async function shown(response: Response | Promise<Response>): Promise<Shown> {
  const { status, headers, ...rest } = await Promise.resolve(response).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    body: await answer.text(),
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

const look = (url: string, init: RequestInit = {}) => shown(fetch(url, { redirect: 'manual', ...init }));
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  look(url, { method: 'POST', body: new URLSearchParams(fields), headers });

/** A device that waits, and its page; without an address to go back to when that is empty. */
async function ask(back = redirectUrl, provider = 'oura') {
  const userId = await app.createUser();
  const { id, auth_url: url } = (await app.connect(userId, provider, back || undefined)).body.data;
  return { userId, id: id as string, url: url as string };
}

/** As far as the way back from the provider, which is not gone yet. */
async function askAndConsent(back = redirectUrl, decision: 'allow' | 'deny' = 'allow') {
  const asked = await ask(back);
  const person = somebody();
  const { consentUrl, cookie } = await continueFrom(asked.url);
  const { back: returned } = await consentAt(consentUrl, person, { decision });
  return { ...asked, person, cookie, back: returned! };
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

async function keptOf({ id }: { id: string }) {
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
    '%s: the page says who asks for what, and how to stop it',
    async (id) => {
      const { name, reads } = findProvider(id)!;
      const { url } = await ask(redirectUrl, id);
      const { status, heading, body } = await look(url);
      expect(status).toBe(200);
      expect(heading).toBe(`Connect ${name} to Demo Health`);
      const terms = [...body.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, term]) => term);
      expect(terms).toEqual([
        ...reads.map(({ category }) => category),
        'From when',
        'Only reading',
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

  test('looking changes nothing, however often and in whatever way', async () => {
    const asked = await ask();
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
      expect((await look(`${asked.url}?utm_source=mail&answer=continue`, { method })).status).toBe(200);
    expect(await linkStatusOf(asked)).toEqual(['open']);
    expect(await statusOf(asked)).toBe('pending');
  });

  test('cancelling without an address to go back to is a page', async () => {
    const asked = await ask('');
    const { status, heading, badge } = await post(asked.url, { answer: 'cancel' });
    expect([status, heading, badge]).toEqual([200, 'Oura was not connected', 'Not connected']);
    expect(await statusOf(asked)).toBe('pending');
    expect(await linkStatusOf(asked)).toEqual(['cancelled']);
  });

  test('coming back without an address to go back to is a page', async () => {
    const asked = await askAndConsent('');
    const { status, heading, badge, body } = await look(asked.back, { headers: { cookie: asked.cookie } });
    expect([status, heading, badge]).toEqual([200, 'Oura is connected to Demo Health', 'Connected']);
    expect(body).not.toContain('class="button"');
    expect(await statusOf(asked)).toBe('active');
  });

  test('saying no at the provider without an address to go back to is a page', async () => {
    const asked = await askAndConsent('', 'deny');
    const { status, heading } = await look(asked.back, { headers: { cookie: asked.cookie } });
    expect([status, heading]).toEqual([200, 'You did not allow it at Oura']);
    expect(await keptOf(asked)).toEqual(nothing);
  });

  test('another browser is asked first, and connects by saying yes', async () => {
    const asked = await askAndConsent();
    for (const headers of [{}, { cookie: `__Host-tributary_connect=${createSecretToken('cb_')}` }]) {
      const { status, heading, body } = await look(asked.back, { headers });
      expect([status, heading]).toEqual([200, 'Is it you who connects Oura to Demo Health?']);
      expect(body).toContain('stop: they would get to read your data');
      expect(await statusOf(asked)).toBe('pending');
      expect(await keptOf(asked)).toEqual(nothing);
    }
    const fields = Object.fromEntries(new URL(asked.back).searchParams);
    const { status, headers } = await post(`${app.url}/connect/callback`, fields);
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=connected&device_id=${asked.id}&provider=oura`,
    ]);
    expect(await statusOf(asked)).toBe('active');
  });

  test('what the other browser is asked carries all that the provider told', async () => {
    const asked = await askAndConsent();
    const { body } = await look(asked.back);
    const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    expect(Object.fromEntries(fields.map(([, name, value]) => [name, value]))).toEqual(
      Object.fromEntries(new URL(asked.back).searchParams),
    );
  });
});

describe('303', () => {
  test('on to the provider, once, with a mark for the browser', async () => {
    const asked = await ask();
    const { answer, consentUrl } = await continueFrom(asked.url);
    expect(answer.status).toBe(303);
    const onwards = new URL(consentUrl);
    expect(onwards.origin).toBe(app.lab.url);
    expect(onwards.searchParams.get('redirect_uri')).toBe(`${app.url}/connect/callback`);
    expect(onwards.searchParams.get('state')).toMatch(/^cs_[0-9A-Za-z]{49}$/);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-tributary_connect=cb_[0-9A-Za-z]{49}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1800$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await linkStatusOf(asked)).toEqual(['continued']);
  });

  test('back to the app when it is connected, and the mark goes', async () => {
    const asked = await askAndConsent();
    const { status, headers } = await look(asked.back, { headers: { cookie: `a=b; ${asked.cookie}; c=d` } });
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=connected&device_id=${asked.id}&provider=oura`,
    ]);
    expect(headers.get('set-cookie')).toMatch(/^__Host-tributary_connect=; .*Max-Age=0$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(await statusOf(asked)).toBe('active');
  });

  test('the query of the app stays, and what came of it cannot be forged by it', async () => {
    const asked = await askAndConsent(`${redirectUrl}?flow=7&status=forged`);
    const { headers } = await look(asked.back, { headers: { cookie: asked.cookie } });
    expect(Object.fromEntries(new URL(headers.get('location')!).searchParams)).toEqual({
      flow: '7',
      status: 'connected',
      device_id: asked.id,
      provider: 'oura',
    });
  });

  test('back to the app after "Not now", and the link is over', async () => {
    const asked = await ask();
    await expectLeft(asked, await post(asked.url, { answer: 'cancel' }), 'cancelled');
  });

  test('back to the app after a no at the provider, and the link is over', async () => {
    const asked = await askAndConsent(redirectUrl, 'deny');
    await expectLeft(asked, await look(asked.back, { headers: { cookie: asked.cookie } }), 'declined');
  });

  async function expectLeft(asked: { userId: string; id: string; url: string }, left: Shown, status: string) {
    expect([left.status, left.headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=${status}&device_id=${asked.id}&provider=oura`,
    ]);
    expect(await statusOf(asked)).toBe('pending');
    expect(await keptOf(asked)).toEqual(nothing);
    expect(await linkStatusOf(asked)).toEqual([status]);
    expect((await look(asked.url)).status).toBe(410);
  }

  test('an app has a scheme of its own', async () => {
    await app.admin.query('UPDATE accounts SET redirect_urls = $1', [
      [redirectUrl, 'demo.health://connected'],
    ]);
    const asked = await askAndConsent('demo.health://connected');
    const { headers } = await look(asked.back, { headers: { cookie: asked.cookie } });
    expect(headers.get('location')).toBe(
      `demo.health://connected?status=connected&device_id=${asked.id}&provider=oura`,
    );
  });
});

describe('400', () => {
  test.each<[string, Record<string, string>]>([
    ['another answer', { answer: 'perhaps' }],
    ['none', {}],
    ['one under another name', { action: 'continue' }],
  ])('%s changes nothing', async (_name, fields) => {
    const asked = await ask();
    const { status, heading } = await post(asked.url, fields);
    expect([status, heading]).toEqual([400, 'We could not read this answer']);
    expect(await linkStatusOf(asked)).toEqual(['open']);
  });

  test('JSON is no form', async () => {
    const asked = await ask();
    const headers = { 'content-type': 'application/json' };
    const { status } = await look(asked.url, { method: 'POST', body: '{"answer":"continue"}', headers });
    expect(status).toBe(400);
    expect(await linkStatusOf(asked)).toEqual(['open']);
  });
});

describe('403', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['another site that says it is none', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sister of our site', { 'sec-fetch-site': 'same-site' }],
  ])('a form of %s takes nobody anywhere', async (_name, headers) => {
    const asked = await ask();
    for (const answer of ['continue', 'cancel']) {
      const left = await post(asked.url, { answer }, headers);
      expect([left.status, left.heading]).toEqual([403, 'This answer came from another website']);
      expect(left.headers.get('set-cookie')).toBeNull();
    }
    expect(await linkStatusOf(asked)).toEqual(['open']);
  });

  test('nor does it confirm a stranger', async () => {
    const asked = await askAndConsent();
    const fields = Object.fromEntries(new URL(asked.back).searchParams);
    const { status } = await post(`${app.url}/connect/callback`, fields, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
    expect(await statusOf(asked)).toBe('pending');
  });
});

describe('404', () => {
  test.each<[string, (token: string) => string]>([
    ['one that is cut off', (token) => token.slice(0, -1)],
    ['one with a typo', (token) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['one of another kind', () => createSecretToken('ml_')],
    ['one that was never given out', () => createSecretToken('cl_')],
  ])('%s opens nothing', async (_name, twist) => {
    const { url } = await ask();
    const path = `${app.url}/connect/${twist(url.split('/').at(-1)!)}`;
    for (const answer of [
      await look(path),
      await post(path, { answer: 'continue' }),
      await post(path, { answer: 'cancel' }),
    ]) {
      expect([answer.status, answer.heading]).toEqual([404, 'We do not know this link']);
      // Nobody was sent a mail here.
      expect(answer.body).not.toMatch(/>[^<]*(mail|invited)/);
    }
  });

  test.each(['', 'state=', 'state=nonsense&code=x', `code=x`])('?%s: nobody is expected', async (query) => {
    expect((await look(`${app.url}/connect/callback?${query}`)).status).toBe(404);
    expect((await look(`${app.url}/connect/callback?state=${createSecretToken('cs_')}&code=x`)).status).toBe(
      404,
    );
    expect(
      (await post(`${app.url}/connect/callback`, { state: createSecretToken('cs_'), code: 'x' })).status,
    ).toBe(404);
  });

  test('the link is no state, and the state no link', async () => {
    const asked = await askAndConsent();
    const state = new URL(asked.back).searchParams.get('state')!;
    expect((await look(`${app.url}/connect/${state}`)).status).toBe(404);
    const link = asked.url.split('/').at(-1)!;
    expect((await look(`${app.url}/connect/callback?state=${link}&code=x`)).status).toBe(404);
    expect(await statusOf(asked)).toBe('pending');
  });
});

describe('410', () => {
  test('who continues twice hears that the link was used, and can go back', async () => {
    const asked = await ask();
    await continueFrom(asked.url);
    for (const answer of [
      await post(asked.url, { answer: 'continue' }),
      await look(asked.url),
      await post(asked.url, { answer: 'cancel' }),
    ]) {
      expect([answer.status, answer.heading, answer.badge]).toEqual([
        410,
        'This link was used already',
        'Used',
      ]);
      expect(answer.headers.get('set-cookie')).toBeNull();
      // One piece, since a button shows no space between two.
      expect(answer.body).toContain('<span>Back to <bdi>Demo Health</bdi></span>');
    }
  });

  test('of many who continue at once, one goes on', async () => {
    const asked = await ask();
    const answers = await Promise.all(Array.from({ length: 8 }, () => continueFrom(asked.url)));
    expect(answers.map(({ answer }) => answer.status).toSorted()).toEqual([303, ...Array(7).fill(410)]);
  });

  test('a return is good once', async () => {
    const asked = await askAndConsent();
    const headers = { cookie: asked.cookie };
    const answers = await Promise.all(Array.from({ length: 4 }, () => look(asked.back, { headers })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410]);
    const kept = await keptOf(asked);
    const again = await look(asked.back, { headers });
    expect([again.status, again.heading]).toEqual([410, 'Oura is connected to Demo Health']);
    // The app hears of the device whichever way the person comes back.
    expect(again.body).toContain(`status=connected&amp;device_id=${asked.id}&amp;provider=oura`);
    expect(await keptOf(asked)).toEqual(kept);
    expect((await look(asked.url)).status).toBe(410);
  });

  describe('under another clock', () => {
    afterEach(() => app.moveClock(0));

    test('a link that is half an hour old has expired, whatever is answered', async () => {
      const [asked, other] = [await ask(), await ask()];
      await app.moveClock(29 * 60_000);
      expect((await look(asked.url)).status).toBe(200);
      await app.moveClock(31 * 60_000);
      for (const answer of [
        await look(asked.url),
        await post(asked.url, { answer: 'continue' }),
        await post(other.url, { answer: 'cancel' }),
      ])
        expect([answer.status, answer.heading, answer.badge]).toEqual([
          410,
          'This link has expired',
          'Expired',
        ]);
      expect(await statusOf(asked)).toBe('pending');
    });

    test('who takes too long at the provider starts again, and nothing is kept', async () => {
      const asked = await askAndConsent();
      await app.moveClock(31 * 60_000);
      for (const answer of [
        await look(asked.back, { headers: { cookie: asked.cookie } }),
        await look(asked.back),
        await post(`${app.url}/connect/callback`, Object.fromEntries(new URL(asked.back).searchParams)),
      ])
        expect([answer.status, answer.heading]).toEqual([410, 'This link has expired']);
      expect(await keptOf(asked)).toEqual(nothing);
    });
  });
});

describe('502', () => {
  test('a code that the provider does not know connects nothing, and is not tried again', async () => {
    const asked = await askAndConsent('');
    const wrong = new URL(asked.back);
    wrong.searchParams.set('code', 'made-up');
    const headers = { cookie: asked.cookie };
    const { status, heading, badge } = await look(wrong.href, { headers });
    expect([status, heading, badge]).toEqual([502, 'Oura could not be connected', 'Did not work']);
    expect(await keptOf(asked)).toEqual(nothing);
    expect(await linkStatusOf(asked)).toEqual(['failed']);
    expect(await statusOf(asked)).toBe('pending');
    expect((await look(asked.back, { headers })).status).toBe(410);
    expect(await statusOf(asked)).toBe('pending');
    const again = (await app.connect(asked.userId, 'oura')).body.data;
    expect((await app.authorize(again.auth_url, asked.person)).status).toBe(200);
    expect(await statusOf(asked)).toBe('active');
  });

  test('the app hears of it', async () => {
    const asked = await askAndConsent();
    const { status, headers } = await look(asked.back.replace(/code=[^&]+/, 'code=made-up'), {
      headers: { cookie: asked.cookie },
    });
    expect([status, headers.get('location')]).toEqual([
      303,
      `${redirectUrl}?status=failed&device_id=${asked.id}&provider=oura`,
    ]);
  });

  test.each(['server_error', 'temporarily_unavailable', 'invalid_scope'])(
    'a provider that says %s has failed, and nobody has declined',
    async (error) => {
      const asked = await askAndConsent('');
      const state = new URL(asked.back).searchParams.get('state');
      const { status, heading } = await look(`${app.url}/connect/callback?state=${state}&error=${error}`);
      expect([status, heading]).toEqual([502, 'Oura could not be connected']);
      expect(await linkStatusOf(asked)).toEqual(['failed']);
    },
  );

  test('an application that is gone meanwhile says so before anybody goes anywhere', async () => {
    const asked = await ask('');
    const { config } = app.ctx;
    (app.ctx as { config: unknown }).config = { ...config, lab: null };
    const left = await post(asked.url, { answer: 'continue' });
    (app.ctx as { config: unknown }).config = config;
    expect([left.status, left.heading]).toEqual([503, 'Oura could not be connected']);
    expect((await look(asked.url)).status).toBe(200);
  });
});

describe('what went away meanwhile', () => {
  const ways: [string, (asked: { userId: string; id: string }) => Promise<unknown>][] = [
    ['the user was deleted', ({ userId }) => app.request('DELETE', `/v1/users/${userId}`)],
    [
      'the device was removed',
      ({ userId, id }) => app.request('DELETE', `/v1/users/${userId}/devices/${id}`),
    ],
  ];

  test.each(ways)('%s: the page asks for nothing any more', async (_name, remove) => {
    const asked = await ask('');
    await remove(asked);
    for (const answer of [await look(asked.url), await post(asked.url, { answer: 'continue' })])
      expect(answer.status).toBe(410);
  });

  test.each(ways)(
    '%s: coming back connects nothing, and the consent ends at the provider',
    async (_name, remove) => {
      const asked = await askAndConsent('');
      await remove(asked);
      const { status } = await look(asked.back, { headers: { cookie: asked.cookie } });
      expect([410, 502]).toContain(status);
      expect(await keptOf(asked)).toEqual(nothing);
      expect(await statusOf(asked).catch(() => undefined)).toBeUndefined();
      const events = await app.admin.query(
        `SELECT FROM events WHERE user_id = $1 AND type = 'device.connected'`,
        [parseId('user', asked.userId)],
      );
      expect(events.rowCount).toBe(0);
    },
  );

  test('the device was removed and asked for again: the old return connects neither', async () => {
    const asked = await askAndConsent('');
    await app.request('DELETE', `/v1/users/${asked.userId}/devices/${asked.id}`);
    const again = (await app.connect(asked.userId, 'oura')).body.data;
    await look(asked.back, { headers: { cookie: asked.cookie } });
    expect(await statusOf({ ...asked, id: again.id })).toBe('pending');
    expect(await keptOf(again)).toEqual(nothing);
  });

  test('it goes while the provider is asked: what was just consented to ends', async () => {
    const asked = await askAndConsent('');
    app.lab.faults.on({ kind: 'slow', provider: 'oura', rate: 1, delayMs: 1_500 });
    const returning = look(asked.back, { headers: { cookie: asked.cookie } });
    await expect.poll(() => linkStatusOf(asked), { interval: 20 }).toEqual(['connected']);
    await app.request('DELETE', `/v1/users/${asked.userId}/devices/${asked.id}`);
    app.lab.faults.off();
    expect((await returning).status).toBe(502);
    expect(await keptOf(asked)).toEqual(nothing);
    expect(consentsOf(asked.person).map(({ revoked }) => revoked)).toEqual([true]);
  });
});

test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onclick='x", '\u202E&lt;b&gt;'])(
  'an organization that calls itself %j is text',
  async (hostile) => {
    const contact = 'a"b<c>?bcc=x@example.com';
    await app.admin.query('UPDATE accounts SET organization_name = $1, contact_email = $2', [
      hostile,
      contact,
    ]);
    const [asked, other] = [await askAndConsent(''), await ask('')];
    const pages = [
      await look(other.url),
      await look(asked.back),
      await look(asked.back, { headers: { cookie: asked.cookie } }),
      await post(other.url, { answer: 'cancel' }),
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

test('an address to go back to cannot leave its attribute, its header, or the policy', async () => {
  const hostile = `${redirectUrl}?a="><script>alert(1)</script>&b=%0d%0aSet-Cookie:x=y;script-src *`;
  const asked = await askAndConsent(hostile);
  const { headers } = await look(asked.url.replace(/cl_\w+/, (await ask(hostile)).url.split('/').at(-1)!));
  expect(headers.get('content-security-policy')).not.toMatch(/script-src|\*/);
  const back = await look(asked.back, { headers: { cookie: asked.cookie } });
  expect(back.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/connected\?[^"<>\s]+$/);
  expect(back.headers.get('set-cookie')).toMatch(/^__Host-tributary_connect=;/);
  const { body } = await look(asked.url);
  expect(body).not.toContain('<script');
});

describe('what a page may do', () => {
  const policyWith = (targets: string) =>
    `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
  const policyOf = ({ headers }: Shown) => headers.get('content-security-policy');

  test('its form leads to us, the provider and the app, and nowhere else', async () => {
    const { origin } = new URL(redirectUrl);
    expect(policyOf(await look((await ask()).url))).toBe(policyWith(`'self' ${app.lab.url} ${origin}`));
    expect(policyOf(await look((await ask('')).url))).toBe(policyWith(`'self' ${app.lab.url}`));
    expect(policyOf(await look((await askAndConsent()).back))).toBe(policyWith(`'self' ${origin}`));
    expect(policyOf(await look((await askAndConsent('')).back))).toBe(policyWith(`'self'`));
    const used = await ask();
    await continueFrom(used.url);
    expect(policyOf(await look(used.url))).toBe(policyWith(`'self'`));
  });

  test('every page keeps its address to itself, and is kept by nobody', async () => {
    const asked = await askAndConsent('');
    for (const page of [
      await look((await ask()).url),
      await look(asked.back),
      await look(asked.back, { headers: { cookie: asked.cookie } }),
      await look(asked.url),
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

test('nothing of what opens something is written down anywhere', async () => {
  await using nats = await listenToAll();
  await using redis = await watchRedis();
  const secrets: string[] = [];
  const [good, confirmed, declined, wrong] = [
    await askAndConsent(),
    await askAndConsent(),
    await askAndConsent(redirectUrl, 'deny'),
    await askAndConsent(),
  ];
  for (const { url, back, cookie } of [good, confirmed, declined, wrong]) {
    const { searchParams } = new URL(back);
    secrets.push(url.split('/').at(-1)!, searchParams.get('state')!, cookie.split('=')[1]!);
    if (searchParams.has('code')) secrets.push(searchParams.get('code')!);
  }
  await look(good.back, { headers: { cookie: good.cookie } });
  await look(confirmed.back);
  await post(`${app.url}/connect/callback`, Object.fromEntries(new URL(confirmed.back).searchParams));
  await look(declined.back, { headers: { cookie: declined.cookie } });
  await look(`${wrong.back}-wrong`, { headers: { cookie: wrong.cookie } });
  await look(good.url);
  for (const { id } of [good, confirmed]) {
    const deviceId = parseId('dev', id)!;
    const { accessToken, refreshToken } = unsealTokens(
      app.ctx.keyring,
      deviceId,
      (await keptOf({ id })).tokens,
    );
    secrets.push(accessToken, refreshToken!);
  }
  expect(secrets.length).toBe(4 * 3 + 3 + 4);
  expect(secrets.every((secret) => secret.length > 5)).toBe(true);

  const places = { log: lines.join(''), database: await dump(), redis: redis.text(), nats: nats.text() };
  // What must be there, so that a look into nothing fails.
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

/** All rows of all tables, as text. */
async function dump(): Promise<string> {
  const { rows } = await app.admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(rows.length).toBeGreaterThan(50);
  const parts = [];
  for (const { name } of rows) {
    const found = await app.admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    parts.push(...found.rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

/** Everything that Redis is told from now on. */
async function watchRedis(): Promise<AsyncDisposable & { text: () => string }> {
  const redis = await createClient({ url: inject('engines').redisUrl }).connect();
  const heard: string[] = [];
  await redis.monitor((command) => void heard.push(command));
  return { text: () => heard.join('\n'), [Symbol.asyncDispose]: async () => redis.destroy() };
}

/** Everything that is said over the broker from now on. */
async function listenToAll(): Promise<AsyncDisposable & { text: () => string }> {
  const connection = await connectNats({ servers: inject('engines').natsUrl });
  const heard: string[] = [];
  connection.subscribe('>', {
    callback: (_error, message) => void heard.push(message.subject, message.string()),
  });
  await connection.flush();
  return { text: () => heard.join('\n'), [Symbol.asyncDispose]: () => connection.close() };
}
