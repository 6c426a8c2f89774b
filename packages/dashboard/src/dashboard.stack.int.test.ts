import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './test/chromium.ts';
import {
  hostile,
  hostileAgent,
  hostileMail,
  hostilePerson,
  storeByApi,
  storeByOwner,
  type Sight,
} from './test/hostile.ts';
import { linkInMail, runStack, type RunningStack, type StackInfo } from './test/stack.ts';

/** Covers the dashboard from the first link on, in a browser against the whole stack. */

const password = 'correct horse battery';
const slow = { timeout: 120_000 };

let stack: RunningStack;
let info: StackInfo;
let browser: Browser;
let context: BrowserContext | undefined;
let page: Page;
let receiver: Server;
let receiverUrl: string;
let responseStatus = 500;
let received = 0;
const complaints: string[] = [];

beforeAll(async () => {
  stack = await runStack();
  info = stack.info;
  browser = await launchChromium();
  receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(responseStatus, { 'content-type': 'text/html' }).end(hostile);
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  receiver?.close();
  await stack?.[Symbol.asyncDispose]();
});

/** A device and the link with which it opens the dashboard. */
interface Form {
  name: string;
  id: string;
  contextOptions: BrowserContextOptions;
  link: () => Promise<string>;
}

const forms: readonly Form[] = [
  {
    name: 'on a desktop',
    id: 'desk',
    contextOptions: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
    link: () => Promise.resolve(info.owner_url),
  },
  {
    name: 'on a dark phone',
    id: 'phone',
    contextOptions: {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
    },
    link: () => invite('phone-owner@acme.example', 'owner'),
  },
];

/** Opens a page and collects browser errors, except for requests that are rejected on purpose. */
async function openPage(contextOptions: BrowserContextOptions): Promise<Page> {
  const browserContext = await browser.newContext({ ...contextOptions, reducedMotion: 'reduce' });
  const opened = await browserContext.newPage();
  opened.setDefaultTimeout(30_000);
  opened.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(error.message));
  opened.on('dialog', (dialog) => complaints.push(dialog.message()));
  return opened;
}

/** Invites a colleague and returns the link in the mail. */
async function invite(email: string, role: string): Promise<string> {
  const headers = { origin: info.base_url };
  await context!.request.post(`${info.base_url}/dashboard/api/session/confirm`, {
    data: { password },
    headers,
  });
  const response = await context!.request.post(`${info.base_url}/dashboard/api/team/invitations`, {
    data: { email, role },
    headers,
  });
  expect(response.status()).toBe(201);
  return linkInMail(info, email);
}

async function join(on: Page, link: string, name: string, email: string): Promise<void> {
  await on.goto(link);
  await on.getByLabel('Your name').fill(name);
  const field = on.getByLabel('Email');
  if (await field.isVisible()) await field.fill(email);
  await on.getByLabel('Password', { exact: true }).fill(password);
  await on.getByRole('button', { name: /^(Become owner|Join)$/ }).click();
  await on.getByRole('button', { name: 'Set up later' }).click();
  await on.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

const go = (path: string) => page.goto(`${info.base_url}/dashboard${path}`);
const button = (name: string | RegExp, on: Page | Locator = page) => on.getByRole('button', { name });

async function callApi(key: string): Promise<number> {
  const response = await fetch(`${info.base_url}/v1/users`, { headers: { authorization: `Bearer ${key}` } });
  return response.status;
}

describe.each(forms)('$name', ({ id, contextOptions, link }) => {
  const press = (locator: Locator) => (contextOptions.hasTouch ? locator.tap() : locator.click());

  test('the link creates an owner once', slow, async () => {
    const invited = await link();
    page = await openPage(contextOptions);
    await join(page, invited, `Ada at the ${id}`, 'ada@acme.example');
    context = page.context();
    const other = await openPage(contextOptions);
    await other.goto(invited);
    await other.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await other.context().close();
  });

  test('rotating a key shows the first use of the new one and rejects the old one', slow, async () => {
    await go('/sandbox/keys');
    expect(await callApi(info.sandbox_key)).toBe(200);
    await press(button('Rotate', page.getByRole('region', { name: 'Sandbox' })));
    const dialog = page.getByRole('dialog');
    await press(button('Rotate', dialog));
    const key = (await dialog.locator('.secret-value code').textContent())!;
    expect(key).toMatch(/^sk_sandbox_/);
    await press(dialog.getByText('I have stored it'));
    await press(button('Done', dialog));
    expect(await callApi(info.sandbox_key)).toBe(401);
    expect(await callApi(key)).toBe(200);
    expect(await page.content()).not.toContain(key);
    await page.reload();
    const used = page.getByText(/from 127\.0\.0\.1/);
    await used.first().waitFor();
    info.sandbox_key = key;
  });

  test('explores a sandbox user up to the explanation of a value', slow, async () => {
    await go('/sandbox/users');
    await press(button('Create user').first());
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill(`grace-${id}`);
    await press(dialog.getByRole('button', { name: 'Create user', exact: true }));
    await page.getByRole('heading', { level: 1, name: `grace-${id}` }).waitFor();
    await press(button(/^Steps.*why this value/).first());
    const panel = page.getByRole('region', { name: 'Why this value' });
    await panel.getByText('Candidates').waitFor();
    expect(await panel.textContent()).toContain('max');
    await press(button('Close', panel));
    await panel.waitFor({ state: 'hidden' });
  });

  test('previews, saves and shows a consolidation change', slow, async () => {
    await press(page.getByRole('tab', { name: 'Consolidation' }));
    const method = page.getByLabel('Method for Steps');
    await method.waitFor();
    await method.selectOption('sum');
    await page.getByText(/of 30 days change/).waitFor();
    await press(button('Save'));
    await page.getByText('override', { exact: true }).first().waitFor();
    await page.reload();
    expect(await page.getByLabel('Method for Steps').inputValue()).toBe('sum');
  });

  test('a webhook fails, is inspected, fixed and resent', slow, async () => {
    const url = `${receiverUrl}/${id}`;
    responseStatus = 500;
    received = 0;
    await go('/sandbox/webhooks');
    await press(button('Add endpoint').first());
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(url);
    await press(button(/^(Add|Create)/, dialog));
    await press(dialog.getByText('I have stored it'));
    await press(button('Done', dialog));
    await page.getByRole('heading', { level: 1, name: url }).waitFor();
    await press(button('Send test').first());
    await press(page.getByRole('dialog').getByRole('button', { name: 'Send event', exact: true }));
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(0);
    const panel = page.getByRole('region', { name: 'Delivery', exact: true });
    await panel.getByText(/500/).first().waitFor();
    responseStatus = 200;
    const before = received;
    await press(button(/Resend|Retry now/, panel));
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(before);
    await panel.getByText('Delivered', { exact: false }).first().waitFor();
  });

  test('an invited viewer joins through the mail and has limited access', slow, async () => {
    const email = `viewer-${id}@acme.example`;
    await go('/live/settings/team');
    await press(button('Invite').first());
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(email);
    await press(button(/Role/, dialog));
    await press(page.getByRole('option', { name: /Viewer/ }));
    await press(button('Send invitation', dialog));
    await page.getByRole('table', { name: 'Invitations' }).getByText(email).waitFor();
    const guest = await openPage(contextOptions);
    await join(guest, await linkInMail(info, email), 'Grace Hopper', email);
    await guest.goto(`${info.base_url}/dashboard/live/keys`);
    const rotate = button('Rotate', guest).first();
    await rotate.waitFor();
    expect(await rotate.isDisabled()).toBe(true);
    await guest.context().close();
  });

  test('every page fits the screen', slow, async () => {
    for (const place of [
      'overview',
      'users',
      'events',
      'webhooks',
      'keys',
      'providers',
      'audit',
      'access',
      'settings',
    ]) {
      await go(`/sandbox/${place}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(needed, place).toBeLessThanOrEqual(contextOptions.viewport!.width);
    }
  });
});

describe('external text is never interpreted', () => {
  /** Checks that a page shows the text and that none of it ran. */
  async function see(on: Page, [what, path, shown]: Sight): Promise<void> {
    await on.goto(`${info.base_url}/dashboard${path}`);
    // The audit entry's id is unknown, so the test opens the first one.
    if (path.endsWith('&entry=')) await on.getByRole('table').getByRole('link').first().click();
    const where = on.getByRole(what.endsWith('in the sidebar') ? 'complementary' : 'main');
    await where.getByText(shown).filter({ visible: true }).first().waitFor();
    expect(await on.evaluate('window.stolen'), what).toBeUndefined();
  }

  test('on any page', { timeout: 300_000 }, async () => {
    responseStatus = 500;
    page = await openPage({ ...forms[0]!.contextOptions, userAgent: `${hostileAgent}/script>` });
    // When this test runs by itself, no owner exists yet.
    const link = context ? await invite('eve@acme.example', 'owner') : info.owner_url;
    await join(page, link, hostile, 'eve@acme.example');
    context = page.context();
    const sights = [...(await storeByOwner(context, info)), ...(await storeByApi(info, receiverUrl))];
    await page.goto(await linkInMail(info, hostilePerson));
    await page.getByRole('button', { name: 'Accept' }).click();
    await page
      .getByText(/You (now )?share|accepted/i)
      .first()
      .waitFor();
    const post = (path: string, data: object) =>
      context!.request.post(`${info.base_url}/dashboard/api${path}`, {
        data,
        headers: { origin: info.base_url },
      });
    expect((await post('/session/confirm', { password })).status()).toBe(204);
    expect((await post('/keys', { environment: 'live' })).status()).toBe(201);
    const more: Sight[] = [
      ['the creator of a key', '/live/keys', `by ${hostile}`],
      ['the name of a colleague', '/live/settings/team', hostile],
      ['the name of a colleague who acted', '/live/audit?action=account.updated', hostile],
      ['the browser of a session', '/live/settings/security', hostileAgent],
      ['the name of a member', '/live/roster', hostile],
    ];
    for (const sight of [...sights, ...more]) await see(page, sight);
    await go('/live/roster');
    await button('Invite').first().click();
    await page.getByText(`${hostile} invites you`).waitFor();
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    const guest = await openPage(forms[0]!.contextOptions);
    await guest.goto(await linkInMail(info, hostileMail));
    await guest.getByRole('definition').getByText(hostile, { exact: true }).waitFor();
    expect(await guest.evaluate('window.stolen')).toBeUndefined();
    await guest.context().close();
  });
});

test('the dashboard cannot be framed, and the browser reported no errors', async () => {
  const response = await fetch(`${info.base_url}/dashboard/sandbox/users`);
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(complaints).toEqual([]);
});
