import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { allResponses } from './test/places.ts';

/** Covers every component, sign-in, and the shell of every page. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());
beforeEach(() => {
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = allResponses();
});

const signedOut = { signedIn: false };
const focused = (page: Page) => page.locator(':focus');

test('every component is accessible', { timeout: 120_000 }, () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open('/story');
    await page.locator('.u-over').waitFor();
    await page.getByRole('button', { name: 'Show table' }).first().click();
    await page.getByRole('table', { name: 'Heart rate' }).waitFor();
    await visit.checkAll();
    await visit.checkLayer({
      opener: page.getByRole('button', { name: 'Confirm by name' }),
      opened: page.getByRole('dialog'),
    });
    await visit.checkLayer({
      opener: page.getByRole('button', { name: 'Open panel' }),
      opened: page.getByRole('heading', { name: 'Why this value' }),
    });
    await visit.checkLayer({
      opener: page.getByRole('button', { name: 'curl' }),
      opened: page.getByRole('dialog', { name: 'API request' }),
    });
  }),
);

describe('sign-in', () => {
  test('accepts a password with a code or a backup code, and rejects a wrong password', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/sign-in');
      await visit.walk();
      await visit.checkAll();
      await verifyPassword(page, 'wrong');
      await page.getByRole('alert').getByText('Incorrect email or password').waitFor();
      await visit.check();
      await verifyPassword(page, 'right');
      await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
      await visit.check();
      await page.getByRole('button', { name: 'Use a backup code' }).click();
      await page.getByRole('heading', { name: 'Enter a backup code' }).waitFor();
      await visit.check();
    }, signedOut));

  test('lets an invited colleague join with an authenticator', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/join#good');
      await page.getByRole('heading', { name: 'Join Acme Health' }).waitFor();
      await visit.walk();
      await visit.checkAll();
      await page.getByLabel('Your name').fill('Grace Hopper');
      await page.getByLabel('Password', { exact: true }).fill('a compiler of words');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      await visit.check();
      await page.getByRole('textbox', { name: 'Code' }).fill('123 456');
      await page.getByRole('heading', { name: 'Store your backup codes' }).waitFor();
      await visit.check();
      await page.getByText('I have stored these codes').click();
      await page.getByRole('button', { name: 'Go to dashboard' }).click();
      await page.waitForURL(/\/dashboard\/(live|sandbox)\//);
    }, signedOut));

  test.each(['/join#ended', '/reset', '/forgot', '/nowhere/at/all'])('%s explains the problem', (path) =>
    browsing.visit(async (visit) => {
      await visit.open(path);
      await visit.check();
    }, signedOut),
  );

  test('opens the requested page', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/live/keys?from=mail');
      await page.waitForURL('**/dashboard/sign-in?back=*');
      await verifyPassword(page, 'right');
      await page.getByLabel('Code').fill('123456');
      await page.waitForURL(/\/dashboard\/live\/keys\?from=mail$/);
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }, signedOut));

  test.each(['%2F%2Fevil.example%2F', 'javascript:alert(1)'])('never redirects to %s', (back) =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open(`/sign-in?back=${back}`);
      await verifyPassword(page, 'right');
      await page.getByLabel('Code').fill('123456');
      await page.waitForURL(new RegExp(`^${visit.url}/dashboard/(live|sandbox)/`));
    }, signedOut),
  );

  test('shows how long to wait after too many attempts', () =>
    browsing.visit(async (visit) => {
      await visit.open('/sign-in');
      await verifyPassword(visit.page, 'locked');
      await visit.page.getByText('Try again in 14 minutes').waitFor();
    }, signedOut));

  test('is shown after signing out', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/live/keys');
      await page.getByRole('button', { name: 'Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor();
    }));
});

describe('shell', () => {
  test('menus and the palette open with the keyboard and return focus', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/sandbox/keys');
      await page.getByRole('table', { name: 'All keys' }).waitFor();
      const menu = page.getByRole('menu');
      await visit.checkLayer(
        { opener: page.getByRole('button', { name: 'Acme Health' }), opened: menu },
        [1280],
      );
      await visit.checkLayer(
        { opener: page.getByRole('button', { name: 'Ada Lovelace' }), opened: menu },
        [1280],
      );
      await visit.checkLayer({ opener: page.getByRole('button', { name: 'Help' }), opened: menu });
      await visit.checkLayer({
        opener: page.getByRole('button', { name: 'Search users' }),
        opened: page.getByRole('dialog', { name: 'Command palette' }),
      });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to API keys').waitFor();
      await visit.check();
    }));

  test('shows a drawer on a phone', () =>
    browsing.visit(
      async (visit) => {
        const { page } = visit;
        await visit.open('/sandbox/keys');
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'API keys' }).waitFor();
        await visit.check([390]);
        await page.keyboard.press('Escape');
        await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Menu');
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Webhooks' }).click();
        await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      },
      { width: 390 },
    ));

  test('the palette navigates, runs actions and opens a pasted id', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/live/keys');
      await page.getByRole('table', { name: 'All keys' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
      expect(await focused(page).getAttribute('placeholder')).toMatch(/^Paste an ID/);
      const current = page.locator('[role=menuitem][data-focused]');
      await page.keyboard.press('ArrowDown');
      const first = await current.innerText();
      await page.keyboard.press('ArrowDown');
      expect(await current.innerText()).not.toBe(first);
      await page.keyboard.insertText('key_01jcqz4w5ve9prdk6r9f4vg1yx');
      await page.getByRole('menuitem', { name: 'Open key key_01jcqz4w5ve9prdk6r9f4vg1yx' }).waitFor();
      await page.getByRole('searchbox').fill('sandb');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/sandbox/keys');
      await page.getByText('Sandbox data').waitFor();
    }));

  test('g opens a page, and the skip link moves to its content', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/live/keys?x=1');
      await page.getByRole('table', { name: 'All keys' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await focused(page).innerText()).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await focused(page).getAttribute('id')).toBe('main');
      await page.keyboard.press('g');
      await page.keyboard.press('k');
      await page.waitForURL(/\/live\/keys$/);
    }));

  test('j and k move between rows, c copies, and e explains', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/story');
      for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
      expect(await focused(page).innerText()).toBe('customer-1043');
      await page.keyboard.press('c');
      await page.getByRole('status').getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^user_\w+0001$/);
      await page.keyboard.press('e');
      const row = page.locator('tr', { has: focused(page) });
      expect(await row.getAttribute('data-current')).toBe('');
    }));

  test('arrow keys select tabs and the visible range of the heart rate', () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open('/story');
      await page.locator('.u-over').waitFor();
      const tab = page.getByRole('tablist', { name: 'Scores' }).getByRole('tab', { selected: true });
      const before = await tab.innerText();
      await tab.focus();
      await page.keyboard.press('ArrowRight');
      expect(await tab.innerText()).not.toBe(before);
      expect(await focused(page).innerText()).toBe(await tab.innerText());
      await page.keyboard.press('Home');
      expect(await tab.innerText()).toBe(before);
      const strip = page.getByRole('slider', { name: 'Visible time range' });
      const all = await strip.getAttribute('aria-valuetext');
      await strip.focus();
      await page.keyboard.press('+');
      const zoomed = await strip.getAttribute('aria-valuetext');
      await page.keyboard.press('ArrowRight');
      expect(new Set([all, zoomed, await strip.getAttribute('aria-valuetext')]).size).toBe(3);
      await page.keyboard.press('0');
      expect(await strip.getAttribute('aria-valuetext')).toBe(all);
    }));
});

async function verifyPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}
