import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { event, eventId, webhookId } from './test/operating-fixtures.ts';
import { allResponses } from './test/places.ts';
import type { Visit } from './test/visit.ts';

/** Covers actions on the pages for webhooks, events, keys, the audit log and settings. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());
beforeEach(() => {
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = allResponses();
});

function visit(use: (page: Page, visit: Visit) => Promise<void>): Promise<void> {
  return browsing.visit(async (there) => {
    await there.page.route('**/v1/events/stream*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 60000\nid: c1\nevent: data.updated\ndata: ${JSON.stringify({ ...event, event_id: 'evt_2' })}\n\n`,
      }),
    );
    await use(there.page, there);
  });
}

const row = (id: string, cursor: string) => ({ event: { ...event, event_id: id }, cursor });

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('with the keyboard', () => {
  test('opens an endpoint and its delivery and returns to the same row', () =>
    visit(async (page, there) => {
      await there.open('/sandbox/webhooks');
      await page.getByRole('link', { name: 'example.com/hooks' }).waitFor();
      await press(page, 'j', 'Enter');
      await page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await press(page, 'j', 'Enter');
      await page.getByRole('heading', { name: 'Delivery' }).waitFor();
      await page.getByText('Bad gateway').waitFor();
      await press(page, 'Escape');
      await page.getByRole('heading', { name: 'Delivery' }).waitFor({ state: 'detached' });
      expect(await page.locator(':focus').innerText()).toBe(eventId);
    }));

  test('rotates a secret and shows it once', () =>
    visit(async (page, there) => {
      await there.open(`/sandbox/webhooks/${webhookId}`);
      await page.getByRole('button', { name: 'More' }).focus();
      await press(page, 'Enter');
      await page.getByRole('menu').waitFor();
      await press(page, 'ArrowDown', 'Enter');
      await page.getByRole('heading', { name: 'Rotate secret' }).waitFor();
      await press(page, 'Enter');
      await page.getByText('whsec_sample_rotated').waitFor();
      await press(page, 'Escape');
      await page.getByText('whsec_sample_rotated').waitFor();
      await page.getByRole('checkbox', { name: 'I have stored it' }).focus();
      await press(page, 'Space', 'Tab', 'Enter');
      await page.getByText('whsec_sample_rotated').waitFor({ state: 'detached' });
    }));

  test('invites a colleague', () =>
    visit(async (page, there) => {
      await there.open('/sandbox/settings/team');
      await page.getByRole('button', { name: 'Invite colleague', exact: true }).focus();
      await press(page, 'Enter');
      await page.getByLabel('Email').waitFor();
      await page.keyboard.type('alan@example.com');
      await press(page, 'Enter');
      await page.getByText('Invited alan@example.com').waitFor();
    }));

  test('lists past and new events and opens one', () =>
    visit(async (page, there) => {
      await there.open('/sandbox/events');
      await page.getByRole('table', { name: 'Events' }).waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
      await press(page, 'j', 'Enter');
      await page.getByRole('heading', { name: 'Event', exact: true }).waitFor();
      await press(page, 'Escape');
      await page.getByRole('heading', { name: 'Event', exact: true }).waitFor({ state: 'detached' });
    }));

  test('shows on a phone whose data was read', () =>
    visit(async (page, there) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await there.open('/live/access');
      const row = page.getByRole('row').nth(1);
      await row.getByRole('link', { name: `…${event.user_id.slice(-8)}` }).waitFor();
    }));

  test('loads older events below', () =>
    visit(async (page, there) => {
      const requestedCursors: string[] = [];
      await page.route('**/dashboard/api/events?*', (route) => {
        const { searchParams } = new URL(route.request().url());
        requestedCursors.push(searchParams.get('before') ?? '');
        return searchParams.get('before')
          ? route.fulfill({ json: { data: [row('evt_0', 'c0')], cursor: 'c1', older: null } })
          : route.fulfill({ json: { data: [row('evt_1', 'c1')], cursor: 'c1', older: 'c1' } });
      });
      await there.open('/sandbox/events');
      await page.getByRole('button', { name: 'Show older events' }).focus();
      await press(page, 'Enter');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
      expect(requestedCursors).toEqual(['', 'c1']);
      expect(await page.locator('tbody tr').last().innerHTML()).toContain('evt_0');
      await page.getByRole('button', { name: 'Show older events' }).waitFor({ state: 'detached' });
    }));

  test('groups the reads of one visit and lists what was read', () =>
    visit(async (page, there) => {
      await there.open('/sandbox/audit');
      await page.getByText('daily, sleep, user').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(2);
      await page.getByRole('link', { name: 'User read' }).focus();
      await press(page, 'Enter');
      await page.getByRole('heading', { name: 'Read in this visit' }).waitFor();
      await page.getByText('2 times').waitFor();
      await there.check();
    }));

  test('resends an invitation', () =>
    visit(async (page, there) => {
      await there.open('/live/roster/invitations');
      await page.getByRole('button', { name: 'Actions for katherine@example.com' }).focus();
      await press(page, 'Enter');
      await page.getByRole('menuitem', { name: 'Resend invitation' }).waitFor();
      await press(page, 'Enter');
      await page.getByText('Resending to katherine@example.com').waitFor();
    }));

  test('exports the filtered audit log', () =>
    visit(async (page, there) => {
      await there.open('/sandbox/audit?search=account');
      await page.getByRole('link', { name: 'Account updated' }).waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).focus();
      await press(page, 'Enter');
      expect((await saved).suggestedFilename()).toBe('audit-sandbox.csv');
      await page.getByText('Exported 1 entry').waitFor();
    }));
});

describe('restricted roles', () => {
  test('a viewer sees disabled actions with the reason', () =>
    visit(async (page, there) => {
      browsing.server.fixtures.role = 'viewer';
      await there.open('/live/webhooks');
      const add = page.getByRole('button', { name: 'Add endpoint' });
      await add.waitFor();
      expect(await add.isDisabled()).toBe(true);
      await page.getByText('Viewers cannot change webhooks.').first().waitFor({ state: 'attached' });
      await there.open('/live/settings');
      expect(await page.getByLabel('Name').first().isDisabled()).toBe(true);
      await there.check();
    }));
});

describe('API keys', () => {
  test('are rotated after typing the name and shown once', () =>
    visit(async (page, there) => {
      await there.open('/live/keys');
      await page.getByRole('button', { name: 'Rotate' }).first().click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Rotate' });
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByLabel('Type Live to confirm').fill('Live');
      await confirm.click();
      await page.getByRole('dialog', { name: 'New live key' }).waitFor();
      await there.check();
      await press(page, 'Escape');
      const done = page.getByRole('dialog').getByRole('button', { name: 'Done' });
      expect(await done.isDisabled()).toBe(true);
      await page.getByText('I have stored it').click();
      await done.click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.getByText('sk_sample').count()).toBe(0);
      // The announcement about the removed button must not refer to a missing element.
      await there.check();
    }));

  test('cannot be changed by viewers, who see the reason', () =>
    visit(async (page, there) => {
      browsing.server.fixtures.role = 'viewer';
      await there.open('/live/keys');
      const rotate = page.getByRole('button', { name: 'Rotate' }).first();
      expect(await rotate.isDisabled()).toBe(true);
      await page.getByRole('note').filter({ has: rotate }).first().focus();
      await page.getByRole('tooltip').getByText('Viewers cannot change keys').first().waitFor();
    }));
});
