import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browsing } from './test/browse.ts';
import { refuse, session } from './test/fixtures.ts';
import { allResponses } from './test/places.ts';

/** The end of unused sessions, confirmations, and required authenticators, in a browser. */

let browsing: Browsing;
beforeAll(async () => {
  browsing = await Browsing.start();
});
afterAll(() => browsing?.[Symbol.asyncDispose]());

let more: ReturnType<typeof allResponses>;
beforeEach(() => {
  more = allResponses();
  browsing.server.fixtures.role = 'owner';
  browsing.server.fixtures.more = more;
});

function reportSession(parts: { idleSeconds?: number; hasAuthenticator?: boolean; requires?: boolean }) {
  const { idleSeconds = 1_800, hasAuthenticator = true, requires = false } = parts;
  more['GET /dashboard/api/session'] = () => ({
    status: 200,
    body: {
      ...session,
      operator: { ...session.operator, two_factor: hasAuthenticator },
      account: { ...session.account, requires_authenticator: requires },
      session: { ...session.session, idle_remaining_seconds: idleSeconds },
    },
  });
}

describe('an unused session', () => {
  test('shows a notice before it ends, and continues on request', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      reportSession({ idleSeconds: 90 });
      await there.open('/live/keys');
      const notice = page.getByRole('dialog', { name: 'Are you still there?' });
      await notice.waitFor();
      expect(await notice.getByRole('timer').textContent()).toMatch(/^1:\d\d$/);
      await there.check();
      reportSession({});
      await page.getByRole('button', { name: 'Stay signed in' }).press('Enter');
      await notice.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }));

  test('leads to the sign-in page with the reason, and back afterwards', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      reportSession({ idleSeconds: 2 });
      await there.open('/live/keys');
      more['GET /dashboard/api/session'] = () => {
        const { status, body } = refuse(401, 'signed_out', 'You were signed out.');
        return { status, body: { ...(body as object), details: { reason: 'idle' } } };
      };
      await page.getByText('You were signed out because you were inactive.').waitFor();
      expect(page.url()).toContain('back=');
      await there.check();
    }));

  test('is reported to the server as long as no one uses the page', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      await page.clock.install();
      const reports: number[] = [];
      page.on('request', (request) => {
        const report = request.headers()['tributary-inactive'];
        if (request.url().includes('/dashboard/api/webhooks')) reports.push(Number(report));
      });
      await there.open('/live/webhooks');
      await page.clock.runFor(65_000);
      await expect.poll(() => reports.at(-1)).toBeGreaterThanOrEqual(30);
      await page.mouse.move(200, 200);
      await page.clock.runFor(31_000);
      await expect.poll(() => reports.at(-1)).toBeLessThan(32);
    }));
});

describe('a confirmation', () => {
  function requireConfirmation(call: string): void {
    const act = more[call];
    more[call] = () => refuse(403, 'confirmation_required', 'Confirm that it is you.');
    more['POST /dashboard/api/session/confirm'] = ({ code, password }) => {
      if (code !== '123456' && password !== 'right')
        return refuse(401, code === undefined ? 'wrong_sign_in' : 'wrong_code', 'Incorrect.');
      if (act) more[call] = act;
      else delete more[call];
      return { status: 204 };
    };
  }

  test('by code comes before a live key', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      requireConfirmation('POST /dashboard/api/keys');
      await there.open('/live/keys');
      await page.getByRole('button', { name: 'Rotate key' }).first().click();
      await page.getByLabel(/to confirm$/).fill('Live');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await dialog.waitFor();
      await there.check();
      await dialog.getByLabel('Code').fill('000000');
      await dialog.getByText('Incorrect code.').waitFor();
      await dialog.getByLabel('Code').fill('123456');
      await page.getByText('sk_sample_000000000000000000000000000000').waitFor();
    }));

  test('by password makes a colleague an owner', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      reportSession({ hasAuthenticator: false });
      requireConfirmation('POST /dashboard/api/team/invitations');
      await there.open('/live/settings/team');
      await page.getByRole('button', { name: 'Invite colleague', exact: true }).click();
      await page.getByLabel('Email').fill('alan@example.com');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await dialog.getByLabel('Your password').fill('wrong');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await dialog.getByText('Incorrect password.').waitFor();
      await there.check();
      await dialog.getByLabel('Your password').fill('right');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Invited alan@example.com').waitFor();
    }));

  test('comes before authenticators are required', () =>
    browsing.visit(async (there) => {
      const { page } = there;
      requireConfirmation('PATCH /dashboard/api/settings');
      await there.open('/live/settings/team');
      const required = page.getByRole('switch', { name: 'Require an authenticator of all colleagues' });
      await page.getByText('Require an authenticator of all colleagues').click();
      await page.getByLabel('Code').fill('123456');
      await page.getByText('Authenticators are required').waitFor();
      expect(await required.isChecked()).toBe(true);
    }));
});

test('an account that requires an authenticator leads to its setup from every page', () =>
  browsing.visit(async (there) => {
    const { page } = there;
    reportSession({ hasAuthenticator: false, requires: true });
    await there.open('/live/keys');
    await page.getByRole('heading', { name: 'Add an authenticator' }).waitFor();
    expect(page.url()).toMatch(/\/enroll$/);
    await there.walk();
    await there.checkAll();
    await page.getByLabel('Your password').fill('right');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('123456');
    await page.getByText('I have stored these codes').click();
    reportSession({ requires: true });
    await page.getByRole('button', { name: 'Go to dashboard' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }));

test('a page that finds the requirement leads there too', () =>
  browsing.visit(async (there) => {
    await there.open('/live/webhooks');
    reportSession({ hasAuthenticator: false, requires: true });
    more['GET /dashboard/api/keys'] = () =>
      refuse(403, 'authenticator_required', 'Your account requires an authenticator.');
    await there.page.getByRole('link', { name: 'API keys' }).click();
    await there.page.getByRole('heading', { name: 'Add an authenticator' }).waitFor();
  }));
