import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { webhookId } from './test/operating-fixtures.ts';
import { personId } from './test/person-fixtures.ts';
import { allResponses } from './test/places.ts';

/** Covers every layer: opened with the keyboard, wide and narrow, closed with Esc, with focus returned. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
  browsing.server.fixtures.more = allResponses();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());

const user = `/live/users/${personId}`;
const hook = `/live/webhooks/${webhookId}`;

test.each([
  ['/live/users', 'Create user', 'Create user'],
  [user, 'Connect device', 'Connect device'],
  [`${user}?tab=devices`, 'Disconnect', 'Disconnect Oura'],
  ['/live/keys', 'Rotate key', 'Rotate live key'],
  ['/live/settings/team', 'Invite colleague', 'Invite colleague'],
  ['/live/settings/security', 'Replace backup codes', 'Replace backup codes'],
  ['/live/settings/security', 'Remove authenticator', 'Remove authenticator'],
  ['/live/webhooks', 'Add endpoint', 'Add endpoint'],
  [hook, 'Send test', 'Send test event'],
  [hook, 'Pause', 'Pause endpoint'],
  ['/live/providers/oura', 'Replace credentials', 'Oura credentials'],
  ['/live/providers/oura', 'Remove credentials', 'Remove Oura credentials'],
  ['/live/roster', 'Invite member', 'Invite member'],
  ['/live/audit', 'Date range', 'Date range'],
])('%s: %s', (path, name, title) =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open(path);
    const exact = page.getByRole('button', { name, exact: true });
    await visit.checkLayer({
      opener: (name === 'Date range' ? page.getByRole('button', { name: /^Date range/ }) : exact).first(),
      opened: page.getByRole('dialog', { name: title }),
    });
  }),
);

describe('action menus', () => {
  test.each([
    [user, 'More', ['Delete user']],
    [hook, 'More', ['Edit endpoint', 'Rotate secret', 'Recover missed events', 'Remove endpoint']],
    ['/live/roster', 'Actions for Mary Somerville', ['Remove member']],
    ['/live/roster/invitations', 'Actions for katherine@example.com', []],
    ['/live/settings/team', 'Actions for Grace Hopper', ['Change role', 'Remove colleague']],
  ])('%s', { timeout: 120_000 }, (path, name, entries) =>
    browsing.visit(async (visit) => {
      const { page } = visit;
      await visit.open(path);
      const opener = page.getByRole('button', { name, exact: true });
      await opener.waitFor();
      await visit.checkLayer({ opener, opened: page.getByRole('menu') });
      for (const entry of entries) {
        await opener.focus();
        await page.keyboard.press('ArrowDown');
        const item = page.getByRole('menuitem', { name: entry, exact: true });
        await item.waitFor();
        while (!(await item.evaluate((element) => element === document.activeElement)))
          await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        await visit.check();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
      }
    }),
  );
});
