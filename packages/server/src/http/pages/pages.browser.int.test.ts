import { AxeBuilder } from '@axe-core/playwright';
import { launchChromium } from '@tributary/dashboard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPagesApp, type PagesApp } from '../../test/apps/pages-app.ts';

let app: PagesApp;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  app = await startPagesApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.[Symbol.asyncDispose]();
});

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
/** One visitor has scripts disabled. The others have them enabled because axe needs them. */
const visitors = [
  { name: 'a phone without scripts', viewport: phone, colorScheme: 'light', javaScriptEnabled: false },
  { name: 'a dark phone', viewport: phone, colorScheme: 'dark', javaScriptEnabled: true },
  { name: 'a light desktop', viewport: desktop, colorScheme: 'light', javaScriptEnabled: true },
] as const;

describe.each(visitors)('on $name', (visitor) => {
  /** Opens a page and fails on console errors and on requests to other hosts. `check` waits for a heading and checks layout and accessibility. */
  async function visit(walk: (page: Page, check: (heading: string) => Promise<void>) => Promise<void>) {
    const context = await browser.newContext({ ...visitor });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // Browsers log pages with an error status.
      if (/status of [45]\d\d/.test(message.text())) return;
      complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== app.url) complaints.push(`foreign: ${request.url()}`);
    });
    await walk(page, async (heading) => {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      const { width } = visitor.viewport;
      expect(await page.locator('body').evaluate((body) => body.scrollWidth)).toBeLessThanOrEqual(width);
      await expectRoomForFingers(page);
      if (!visitor.javaScriptEnabled) return;
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    });
    expect(complaints).toEqual([]);
    await context.close();
  }

  async function expectRoomForFingers(page: Page): Promise<void> {
    if (visitor.viewport !== phone) return;
    for (const target of await page.locator('a, button, summary, label').all())
      expect((await target.boundingBox())!.height, await target.innerText()).toBeGreaterThanOrEqual(44);
  }

  async function invite(): Promise<{ id: string; email: string; link: string }> {
    const email = `browsing-${(people += 1)}@example.com`;
    const { id } = await app.invite({ email, name: 'Ada Lovelace' });
    return { id, email, link: app.url + (await app.mailedLink(email)) };
  }

  async function memberOf(
    email: string,
  ): Promise<{ id: string; user_id: string; status: string } | undefined> {
    const { data } = (await app.request('GET', '/v1/team/roster?limit=100')).body;
    return data.find((member: { email: string }) => member.email === email);
  }

  const readUser = async (id: string) => (await app.request('GET', `/v1/users/${id}`)).status;
  const invited = 'Demo Health invites you to share your health data';
  const shared = 'You are sharing your health data with Demo Health';

  test('accepts a mailed invitation once and leaves through the link in the second mail', () =>
    visit(async (page, check) => {
      const { email, link } = await invite();
      await page.goto(link);
      await check(invited);
      await page.getByRole('button', { name: 'Accept' }).click();
      await check('You now share your health data with Demo Health');
      const member = (await memberOf(email))!;
      expect(member.status).toBe('active');
      expect(await readUser(member.user_id)).toBe(200);

      await page.reload();
      await check('You already accepted this invitation');
      await page.goto(link);
      await check('You already accepted this invitation');

      await page.goto(app.url + (await app.mailedLink(email)));
      await check(shared);
      await page.getByText('Data Demo Health can read').click();
      await page.getByText('Heart and vitals').waitFor();
      await check(shared);
      await page.getByRole('button', { name: 'Stop sharing', exact: true }).click();
      await check('You are no longer sharing your health data with Demo Health');
      expect(await memberOf(email)).toBeUndefined();
      expect(await readUser(member.user_id)).toBe(404);
    }));

  test('erases data only after the checkbox is checked', () =>
    visit(async (page, check) => {
      const { email, link } = await invite();
      await page.goto(link);
      await page.getByRole('button', { name: 'Accept' }).click();
      const { user_id: userId } = (await memberOf(email))!;
      await page.getByRole('link', { name: 'Open your page' }).click();
      await page.getByRole('button', { name: 'Stop sharing and erase' }).click();
      await check(shared);
      await page.getByText('Nothing has been erased yet.').waitFor();
      expect(await readUser(userId)).toBe(200);
      await page.getByLabel('Permanently erase my data').check();
      await page.getByRole('button', { name: 'Stop sharing and erase' }).click();
      await check('Your health data has been erased');
      expect(await readUser(userId)).toBe(404);
    }));

  test('declines an invitation with only the keyboard', () =>
    visit(async (page, check) => {
      const { id, email, link } = await invite();
      await page.goto(link);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus-visible');
      expect(await focused.innerText()).toBe('Decline');
      expect(await styleOf(focused, 'outlineWidth')).toBe('2px');
      await page.keyboard.press('Enter');
      await check('You declined the invitation');
      expect((await app.request('GET', `/v1/team/roster/invitations/${id}`)).body.status).toBe('declined');
      expect(await memberOf(email)).toBeUndefined();
      await page.reload();
      await check('You already declined this invitation');
    }));

  test('explains revoked, unknown and expired links', () =>
    visit(async (page, check) => {
      const { id, link } = await invite();
      await app.request('DELETE', `/v1/team/roster/invitations/${id}`);
      await page.goto(link);
      await check('Demo Health has withdrawn this invitation');
      await page.goto(link.slice(0, -1));
      await check('We do not recognize this link');

      const late = await invite();
      await page.goto(late.link);
      await app.moveClock(14 * 86_400_000 + 60_000);
      await page.getByRole('button', { name: 'Accept' }).click();
      await check('This invitation has expired');
      await app.moveClock(0);
      expect(await memberOf(late.email)).toBeUndefined();
    }));

  test('explains suspended accounts, archived memberships and server errors', () =>
    visit(async (page, check) => {
      const { body } = await app.request('POST', '/v1/users', { body: { reference_id: `own-${people}` } });
      const email = `own-${people}@example.com`;
      const { path } = await app.invite({ email, user_id: body.data.id });
      const setStatus = (status: string) =>
        app.admin.query('UPDATE accounts SET status = $2 WHERE id = $1', [app.account.uuid, status]);
      await page.goto(app.url + path);
      await check(invited);
      await setStatus('suspended');
      await page.getByRole('button', { name: 'Accept' }).click();
      await check('Demo Health cannot accept new members right now');
      await setStatus('active');
      await page.goto(app.url + path);
      await page.getByRole('button', { name: 'Accept' }).click();
      const { id } = (await memberOf(email))!;
      await app.request('PATCH', `/v1/team/roster/${id}`, { body: { status: 'archived' } });
      await page.getByRole('link', { name: 'Open your page' }).click();
      await check(shared);
      await page.getByText('has archived your membership').waitFor();
      await app.admin.query('ALTER TABLE roster_members RENAME TO elsewhere');
      await page.reload();
      await app.admin.query('ALTER TABLE elsewhere RENAME TO roster_members');
      await check('Something went wrong on our side');
      await page.reload();
      await page.getByRole('button', { name: 'Leave' }).click();
      await check('You are no longer a member of Demo Health');
    }));

  test('gives Accept and Decline the same weight', () =>
    visit(async (page) => {
      await page.goto((await invite()).link);
      const appearances = [];
      for (const name of ['Accept', 'Decline']) {
        const button = page.getByRole('button', { name });
        const { width, height, y } = (await button.boundingBox())!;
        const style = [];
        for (const property of ['backgroundColor', 'color', 'borderColor', 'font'])
          style.push(await styleOf(button, property));
        appearances.push({ width, height, y, style });
      }
      expect(appearances[0]).toEqual(appearances[1]);
    }));
});

/** Returns a computed style property. DOM types are not available in this package. */
async function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((node, name) => {
    const view = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> };
    return view.getComputedStyle(node)[name]!;
  }, property);
}
