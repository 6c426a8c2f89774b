import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { webhookId } from './test/operating-fixtures.ts';
import { personId } from './test/person-fixtures.ts';
import { allAnswers } from './test/places.ts';

/** Everything that opens over a page: by the keyboard, wide and narrow, closed by Esc, with focus given back. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
  browsing.server.fixtures.more = allAnswers();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());

const user = `/live/users/${personId}`;
const hook = `/live/webhooks/${webhookId}`;

test.each([
  ['/live/users', 'Create user', 'Create user'],
  [user, 'Connect device', 'Connect a device'],
  [`${user}?tab=devices`, 'Disconnect', 'Disconnect Oura'],
  ['/live/keys', 'Rotate', 'Rotate the live key'],
  ['/live/settings/team', 'Invite', 'Invite a colleague'],
  ['/live/settings/security', 'New backup codes', 'New backup codes'],
  ['/live/settings/security', 'Remove', 'Remove the authenticator'],
  ['/live/webhooks', 'Add endpoint', 'Add an endpoint'],
  [hook, 'Send a test', 'Send a test'],
  [hook, 'Pause', 'Pause the endpoint'],
  ['/live/providers/oura', 'Replace', 'Credentials of Oura'],
  ['/live/providers/oura', 'Remove', 'Remove'],
  ['/live/roster', 'Invite', 'Invite a person'],
  ['/live/audit', 'Days', 'Days'],
])('%s: %s', (path, name, title) =>
  browsing.visit(async (visit) => {
    const { page } = visit;
    await visit.open(path);
    const exact = page.getByRole('button', { name, exact: true });
    await visit.checkLayer({
      opener: (name === 'Days' ? page.getByRole('button', { name: /^Days/ }) : exact).first(),
      opened: page.getByRole('dialog', { name: title }),
    });
  }),
);

describe('behind three dots', () => {
  test.each([
    [user, 'More', ['Delete the user']],
    [hook, 'More', ['Change', 'Rotate the secret', 'Recover missed events', 'Remove']],
    ['/live/roster', 'More about Mary Somerville', ['Remove']],
    ['/live/roster/invitations', 'More about katherine@example.com', []],
    ['/live/settings/team', 'More about Grace Hopper', ['Change role', 'Remove']],
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
