import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Browsing } from '../../test/browse.ts';
import { personFixtures, personId } from '../../test/person-fixtures.ts';

let browsing: Browsing;

beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());
beforeEach(() => {
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = personFixtures();
});

test('moves between, copies and opens rows with the keyboard', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open('/live/users');
    await page.getByRole('link', { name: 'customer-1042' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('c');
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(personId);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/live/users/${personId}`);
  }));

test('renders only the visible part of a long list and keeps filters in the URL', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open('/live/users');
    await page.getByRole('link', { name: 'customer-1042' }).waitFor();
    expect(await page.locator('[data-row]').count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Not syncing 1' }).click();
    await page.waitForURL('**/users?filter=not_syncing');
    await page.getByRole('searchbox').fill('customer-9');
    await page.waitForURL('**/users?**q=customer-9**');
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('customer-9');
  }));

test('creates a user with one request, which is shown', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open('/sandbox/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    await dialog.getByLabel('Reference').fill('patient-7');
    await dialog.getByText('"reference_id":"patient-7"').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sandbox/users/${personId}`);
  }));

test('an empty list explains the first step and updates when a user appears', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    const { more } = browsing.server.fixtures;
    const full = more['GET /dashboard/api/users']!;
    const none = { value: 0, more: false };
    more['GET /dashboard/api/users'] = () => ({
      status: 200,
      body: {
        data: [],
        next_cursor: null,
        counts: { all: none, not_syncing: none, no_device: none, deleting: none },
      },
    });
    await visit.open('/live/users');
    await page.getByText('Waiting for the first user').waitFor();
    more['GET /dashboard/api/users'] = full;
    await page.getByRole('link', { name: 'customer-1042' }).waitFor();
  }));

test(
  'keeps a window of a very long list and reads dropped rows again',
  () =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      const { body } = browsing.server.fixtures.more['GET /dashboard/api/users']!({});
      const { data, ...rest } = body as { data: { id: string; reference_id: string }[] };
      const requestedCursors: number[] = [];
      await page.route('**/dashboard/api/users?*', (route) => {
        const first = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
        requestedCursors.push(first);
        const rows = data.map((row, at) => ({
          ...row,
          id: `user_${first + at}`,
          reference_id: `n-${first + at}`,
        }));
        return route.fulfill({ json: { ...rest, data: rows, next_cursor: String(first + rows.length) } });
      });
      await visit.open('/live/users');
      await page.getByRole('link', { name: 'n-0', exact: true }).waitFor();
      while (!requestedCursors.includes(2_200)) {
        await page.keyboard.press('End');
        await page.waitForTimeout(30);
      }
      await page.keyboard.press('Home');
      await page.getByRole('link', { name: 'n-0', exact: true }).waitFor();
      expect(requestedCursors.filter((first) => first === 0)).toHaveLength(2);
      expect(requestedCursors.filter((first) => first === 1_000)).toHaveLength(1);
    }),
  180_000,
);
