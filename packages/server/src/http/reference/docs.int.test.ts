import { launchChromium } from '@tributary/dashboard/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await startTestApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.[Symbol.asyncDispose]();
});

const views = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

describe.each(views)('reference at $width pixels, $colorScheme', ({ width, colorScheme }) => {
  test('shows the API and connects only to its own server', async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== app.url) foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));

    await page.goto(`${app.url}/docs`);
    // Sections render when they come near the viewport, so the test scrolls to each one.
    await page.evaluate('location.hash = "tag/users/POST/v1/users"');
    await page.getByRole('heading', { name: 'Create a user' }).waitFor({ state: 'attached' });
    await page.evaluate('location.hash = "tag/tokens/POST/v1/auth/user-token"');
    await page.getByRole('heading', { name: 'Issue a user token' }).waitFor();
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().waitFor();

    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(
      await page
        .getByText(/Powered by|Ask AI|MCP/)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await page.close();
  });
});

test('makes a browser block connections to other servers', async () => {
  const page = await browser.newPage();
  await page.goto(`${app.url}/docs`);
  const sent: string[] = [];
  page.on('response', (response) => sent.push(response.url()));
  const outcome = await page.evaluate(`fetch('${app.url.replace('127.0.0.1', 'localhost')}/healthz').then(
    () => 'reached', (error) => error.name)`);
  expect(outcome).toBe('TypeError');
  expect(sent).toEqual([]);
  await page.close();
});

describe('reference files', () => {
  test('restrict the page with a content security policy', async () => {
    const page = await app.request('GET', '/docs/');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });

  test('include a compressed script that browsers cache', async () => {
    const first = await app.request('GET', '/docs/js/scalar.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(first.body.length).toBeGreaterThan(1_000_000);
    const plain = await app.request('GET', '/docs/js/scalar.js', {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body).toBe(first.body);
    const etag = first.headers.get('etag') ?? '';
    const again = await app.request('GET', '/docs/js/scalar.js', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});
