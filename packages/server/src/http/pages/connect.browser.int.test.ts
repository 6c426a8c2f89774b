import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { providers } from '@tributary/providers';
import { launchChromium } from '@tributary/dashboard/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseId } from '../../ids.ts';
import { scopesOf } from '../../scope-bits.ts';
import { createCertificate } from '../../test/certificate.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { listen, type Listening } from '../../test/apps/listen.ts';

// The browser, the lab and the service share the machine with other tests.
vi.setConfig({ testTimeout: 120_000 });

let app: ConnectApp;
let browser: Browser;
/** The organization's app, to which people return. */
let home: Listening;
let homeUrl: string;
let working: AsyncDisposable;

beforeAll(async () => {
  app = await startConnectApp();
  home = await listen(
    createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end('<!doctype html><html lang="en"><title>The app</title><h1>Back in the app</h1></html>');
    }),
  );
  homeUrl = `http://127.0.0.1:${home.port}/connected`;
  await app.admin.query('UPDATE accounts SET redirect_urls = $1, contact_email = $2', [
    [homeUrl],
    'care@demo-health.example',
  ]);
  working = keepWorking();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await working?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
});

/** Syncs providers and processes the data in the background, as a running service does. */
function keepWorking(): AsyncDisposable {
  const sync = app.startSync();
  const stop = new AbortController();
  const settling = (async () => {
    while (!stop.signal.aborted) {
      // Failed work is retried, as in the role `ingest`.
      await app.processPending().catch(() => {});
      await sleep(250);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await settling;
      await sync[Symbol.asyncDispose]();
    },
  };
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const shots = process.env['SHOTS'];

interface Visit {
  page: Page;
  /** Waits for the heading and checks layout and accessibility. */
  check: (heading: string, name?: string) => Promise<void>;
}

/** Opens a browser that fails the test on console errors and on requests to other hosts than the service, the lab and the app. */
async function visit(
  options: BrowserContextOptions & { name?: string },
  walk: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { name: visitor, ...rest } = options;
  const viewport = options.viewport ?? phone;
  const context = await browser.newContext({ viewport, ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const known = new Set([app.url, app.lab.url, new URL(homeUrl).origin]);
  page.on('console', (message) => {
    // Browsers log pages with an error status, and the app's missing favicon.
    if (/status of [45]\d\d/.test(message.text())) return;
    complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && !known.has(origin)) complaints.push(`foreign: ${request.url()}`);
  });
  await walk({
    page,
    async check(heading, name) {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(await page.locator('body').evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
      if (viewport === phone)
        for (const target of await page.locator('a, button, summary').all())
          expect((await target.boundingBox())!.height, await target.innerText()).toBeGreaterThanOrEqual(44);
      if (name !== undefined && shots !== undefined) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: `${shots}/${name}-${visitor}.png`, fullPage: true });
      }
      if (options.javaScriptEnabled === false) return;
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    },
  });
  expect(complaints).toEqual([]);
  await context.close();
}

let people = 0;

interface StartedConnection {
  userId: string;
  id: string;
  url: string;
  provider: string;
  name: string;
  person: string;
}

async function startConnection(
  provider = 'oura',
  back: string | undefined = homeUrl,
): Promise<StartedConnection> {
  const userId = await app.createUser('America/New_York');
  const { id, auth_url: url } = (await app.connect(userId, provider, back || undefined)).body.data;
  const { name } = providers.find((one) => one.id === provider)!;
  return { userId, id, url, provider, name, person: `person-${(people += 1)}` };
}

const deviceOf = async ({ userId, id }: StartedConnection) =>
  (await app.request('GET', `/v1/users/${userId}/devices`)).body.data.find(
    (device: { id: string }) => device.id === id,
  );

/** Submits the lab's consent page. The query names the person, so they need not be in the page's list. */
async function consent(
  page: Page,
  connection: StartedConnection,
  decision: 'Allow' | 'Deny' = 'Allow',
): Promise<void> {
  await page.waitForURL((url) => url.origin === app.lab.url);
  const address = new URL(page.url());
  address.searchParams.set('person', connection.person);
  await page.goto(address.href);
  await page.getByRole('button', { name: decision }).click();
}

const onwards = (page: Page, { name }: StartedConnection) =>
  page.getByRole('button', { name: `Continue to ${name}` }).click();

async function expectHome(page: Page, { id, provider }: StartedConnection, status: string): Promise<void> {
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  expect(page.url()).toBe(`${homeUrl}?status=${status}&device_id=${id}&provider=${provider}`);
}

/** Returns whether the API returns data of the last weeks from this device. */
async function hasData({ userId, id }: StartedConnection): Promise<boolean> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const span = `start_date=${day(20)}&end_date=${day(0)}&include_sources=true`;
  for (const list of ['daily', 'sleep', 'workouts']) {
    const { status, body } = await app.request('GET', `/v1/users/${userId}/${list}?${span}`);
    expect(status).toBe(200);
    const isOurs = (row: { source?: { device_id: string } | null }) => row.source?.device_id === id;
    if (body.data.some(isOurs)) return true;
  }
  return false;
}

describe('all providers', () => {
  const journeys = new Map<string, { connection: StartedConnection; connectedMs: number }>();
  const ids = providers.map(({ id }) => id);

  test.each(ids)("%s: connects through the provider's consent page and returns to the app", (provider) =>
    visit({ viewport: phone }, async ({ page }) => {
      // Ben is the listed person with data at every provider.
      const startedConnection = { ...(await startConnection(provider)), person: 'ben' };
      await page.goto(startedConnection.url);
      await onwards(page, startedConnection);
      await page.getByLabel('Simulated user').selectOption('ben');
      await page.getByRole('button', { name: 'Allow' }).click();
      await expectHome(page, startedConnection, 'connected');
      expect((await deviceOf(startedConnection)).status).toBe('active');
      journeys.set(provider, { connection: startedConnection, connectedMs: Date.now() });
    }),
  );

  test.each(ids)('%s: returns data within a minute', async (provider) => {
    const { connection, connectedMs } = journeys.get(provider)!;
    const timeout = Math.max(1_000, connectedMs + 60_000 - Date.now());
    await expect.poll(() => hasData(connection), { timeout, interval: 500 }).toBe(true);
    expect(await deviceOf(connection)).toMatchObject({ status: 'active', last_sync_at: expect.any(String) });
  });
});

const visitors = [
  { name: 'phone-light', viewport: phone, colorScheme: 'light', javaScriptEnabled: false },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark', javaScriptEnabled: true },
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark', javaScriptEnabled: false },
] as const;

describe.each(visitors)('on $name', (visitor) => {
  test('connects without a redirect URL, after which the link is used', () =>
    visit({ ...visitor }, async ({ page, check }) => {
      const connection = await startConnection('oura', '');
      await page.goto(connection.url);
      await check('Connect Oura to Demo Health', 'open');
      await onwards(page, connection);
      await page.waitForURL((url) => url.origin === app.lab.url);
      const consentUrl = page.url();
      await page.goto(connection.url);
      await check('This link has already been used', 'used');
      await page.goto(consentUrl);
      await consent(page, connection);
      await check('Oura is connected to Demo Health', 'connected');
      await page.reload();
      await check('Oura is connected to Demo Health');
      await page.goto(connection.url);
      await check('Oura is connected to Demo Health');
    }));

  test('shares nothing after "Not now" or declining at the provider', () =>
    visit({ ...visitor }, async ({ page, check }) => {
      const [cancelled, declined] = [await startConnection('oura', ''), await startConnection('oura', '')];
      await page.goto(cancelled.url);
      await page.getByRole('button', { name: 'Not now' }).click();
      await check('Oura was not connected', 'cancelled');
      await page.goto(declined.url);
      await onwards(page, declined);
      await consent(page, declined, 'Deny');
      await check('You did not allow access to Oura', 'declined');
      for (const connection of [cancelled, declined])
        expect((await deviceOf(connection)).status).toBe('pending');
    }));

  test('shares reproductive health only after its box is checked', () =>
    visit({ ...visitor }, async ({ page, check }) => {
      const connection = await startConnection('garmin', '');
      await page.goto(connection.url);
      const box = page.getByRole('checkbox', { name: /Also share reproductive health with Demo Health/ });
      expect(await box.isChecked()).toBe(false);
      await box.check();
      await check('Connect Garmin to Demo Health', 'opt-in');
      await onwards(page, connection);
      await consent(page, connection);
      await check('Garmin is connected to Demo Health');
      const { rows } = await app.admin.query('SELECT scopes FROM connections WHERE device_id = $1', [
        parseId('dev', connection.id),
      ]);
      expect(scopesOf(rows[0].scopes)).toContain('reproductive_health');
    }));

  test('explains failed, expired and removed links and leads back to the app', () =>
    visit({ ...visitor }, async ({ page, check }) => {
      const [failed, expired, withdrawn] = [
        await startConnection('oura', ''),
        await startConnection(),
        await startConnection(),
      ];
      await page.goto(failed.url);
      await onwards(page, failed);
      await page.waitForURL((url) => url.origin === app.lab.url);
      const state = new URL(page.url()).searchParams.get('state');
      await page.goto(`${app.url}/connect/callback?state=${state}&code=invalid`);
      await check('We could not connect Oura', 'failed');

      await page.goto(expired.url);
      await app.admin.query(`UPDATE connect_links SET expires_at = now() WHERE device_id = $1`, [
        parseId('dev', expired.id),
      ]);
      await onwards(page, expired);
      await check('This link has expired', 'expired');
      await page.getByRole('link', { name: 'Back to Demo Health' }).click();
      await expectHome(page, expired, 'expired');

      await app.request('DELETE', `/v1/users/${withdrawn.userId}/devices/${withdrawn.id}`);
      await page.goto(withdrawn.url);
      await check('This link is no longer valid', 'withdrawn');
      await page.goto(withdrawn.url.slice(0, -1));
      await check('We do not recognize this link', 'unknown');
    }));

  test('asks another browser to confirm the connection', async () => {
    const connection = await startConnection();
    let consentUrl = '';
    await visit({ ...visitor }, async ({ page }) => {
      await page.goto(connection.url);
      await onwards(page, connection);
      await page.waitForURL((url) => url.origin === app.lab.url);
      consentUrl = page.url();
    });
    await visit({ ...visitor }, async ({ page, check }) => {
      await page.goto(consentUrl);
      await consent(page, connection);
      await check('Are you connecting Oura to Demo Health?', 'confirm');
      expect((await deviceOf(connection)).status).toBe('pending');
      await page.getByRole('button', { name: 'Yes, connect Oura' }).click();
      await expectHome(page, connection, 'connected');
    });
    expect((await deviceOf(connection)).status).toBe('active');
  });
});

test('works with only the keyboard', () =>
  visit({ viewport: desktop }, async ({ page }) => {
    const connection = await startConnection();
    const press = async (name: string) => {
      const focused = page.locator(':focus-visible');
      for (let tabs = 0; tabs < 20; tabs += 1) {
        await page.keyboard.press('Tab');
        if ((await focused.count()) > 0 && (await focused.innerText()) === name) break;
      }
      expect(await focused.innerText()).toBe(name);
      await page.keyboard.press('Enter');
    };
    await page.goto(connection.url);
    await press('Continue to Oura');
    await page.getByLabel('Simulated user').waitFor();
    await press('Allow');
    await expectHome(page, connection, 'connected');
    const other = await startConnection();
    await page.goto(other.url);
    await press('Not now');
    await expectHome(page, other, 'cancelled');
  }));

test('returns to the app after declining at the provider', () =>
  visit({ viewport: phone }, async ({ page, check }) => {
    const connection = await startConnection('whoop');
    await page.goto(connection.url);
    await onwards(page, connection);
    await consent(page, connection, 'Deny');
    await expectHome(page, connection, 'declined');
    await page.goto(connection.url);
    await check('You did not allow access to WHOOP');
  }));

test('disconnects with a reason after consent is revoked at the provider, and connects again', () =>
  visit({ viewport: phone }, async ({ page }) => {
    const connection = await startConnection('whoop');
    const connect = async (url: string) => {
      await page.goto(url);
      await onwards(page, connection);
      await consent(page, connection);
      await expectHome(page, connection, 'connected');
    };
    await connect(connection.url);
    const grant = app.lab.grants('whoop').find(({ personId }) => personId === connection.person)!;
    await fetch(`${app.lab.url}/lab/grants/${grant.id}`, { method: 'DELETE' });
    // Retries after a refusal are minutes apart, so the test makes the sync due.
    const isExpired = async () => {
      await app.admin.query(
        `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE device_id = $1 AND tokens IS NOT NULL`,
        [parseId('dev', connection.id)],
      );
      return (await deviceOf(connection)).status;
    };
    await expect.poll(isExpired, { timeout: 30_000, interval: 500 }).toBe('expired');
    expect(await deviceOf(connection)).toMatchObject({
      sync: { state: 'revoked', reason: 'consent_ended', next_step: expect.any(String) },
    });
    const again = (await app.connect(connection.userId, 'whoop', homeUrl)).body.data;
    expect(again).toMatchObject({ id: connection.id, status: 'expired' });
    await connect(again.auth_url);
    expect((await deviceOf(connection)).status).toBe('active');
  }));

test('allows a provider to redirect to another host for sign-in', async () => {
  const names = { provider: '127.0.0.1', signIn: 'localhost' };
  let port = 0;
  const server = createTlsServer(createCertificate(['localhost']), (request, response) => {
    const isThere = request.headers.host?.startsWith(names.signIn);
    if (!isThere)
      return response.writeHead(302, { location: `https://${names.signIn}:${port}/sign-in` }).end();
    return response.setHeader('content-type', 'text/html').end('<title>x</title><h1>Sign in</h1>');
  });
  await using elsewhere = await listen(server);
  port = elsewhere.port;
  const connection = await startConnection();
  const { config } = app.ctx;
  const lab = { ...config.lab!, url: `https://${names.provider}:${port}` };
  (app.ctx as { config: unknown }).config = { ...config, lab };
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(connection.url);
  await onwards(page, connection);
  try {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 10_000 });
  } finally {
    (app.ctx as { config: unknown }).config = config;
  }
  await context.close();
});
