import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Browsing } from '../../test/browse.ts';
import { personFixtures, personId } from '../../test/person-fixtures.ts';

let browsing: Browsing;
const path = `/live/users/${personId}`;

beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());
beforeEach(() => {
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = personFixtures();
});

test('e explains a value, and Esc closes the explanation and returns focus', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open(path);
    const value = page.getByRole('button', { name: /^Steps .*why this value/ });
    await value.focus();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Why this value' }).waitFor();
    await page.getByText('Candidates').waitFor();
    expect(page.url()).toContain('why=daily.steps.');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Why this value' }).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Steps/);
  }));

test('the explanation links to the setting, which previews a change', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await page.route('**/v1/events/stream*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: 'event: feed.position\ndata: {}\nid: 1\n\nevent: subject.synced\ndata: {}\nid: 2\n\n',
      }),
    );
    await visit.open(`${path}?why=daily.steps.2026-03-02`);
    await page.getByRole('button', { name: 'Change method' }).click();
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Method for Steps').selectOption('sum');
    await page.getByText('12 of 30 days change').waitFor();
    await page.getByText('14,208').waitFor();
    await visit.check();
    await save.click();
    await page.getByRole('status').getByText('Values recomputed').waitFor();
    expect(await save.isDisabled()).toBe(true);
  }));

test('the selected tab is visible on a phone', () =>
  browsing.visit(
    async (visit) => {
      await visit.open(`${path}?tab=events`);
      const tab = visit.page.getByRole('tab', { name: 'Events', selected: true });
      const isWhole = async () => {
        const { x, width } = (await tab.boundingBox())!;
        return x >= 0 && x + width <= 390;
      };
      await expect.poll(isWhole).toBe(true);
    },
    { width: 390 },
  ));

test('a device that lost its authorization gets a new link', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open(path);
    await page.getByRole('button', { name: 'Create new link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect device' });
    await dialog.getByText('"provider":"garmin"').waitFor();
    await visit.check();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('cl_sample').waitFor();
  }));

test('a viewer sees no values of live users, and sees the reason', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    browsing.server.fixtures.role = 'viewer';
    await visit.open(path);
    await page.getByText('Viewers cannot see values in live.').waitFor();
    expect(await page.getByRole('table', { name: 'Daily values' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Connect device' }).isDisabled()).toBe(true);
    await visit.check();
  }));

test('a load failure shows an error with the request', () =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    browsing.server.fixtures.more[`GET /v1/users/${personId}/daily`] = () => ({
      status: 400,
      body: { error: 'invalid_request', message: 'It went wrong.', details: {} },
    });
    await visit.open(path);
    await page.getByText('Could not load daily values.').waitFor();
    await page.getByText('req_sample').first().waitFor();
    await visit.check();
    await visit.open('/live/users/user_unknown');
    await page.getByText('User not found in live.').waitFor();
  }));
