import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { asTenant } from '../store/database/tenant.ts';
import { startMailApp, type MailApp } from '../test/apps/mail-app.ts';
import { plantInvitation, plantMail } from '../test/data/plant-invitation.ts';
import type { TestApp } from '../test/apps/test-app.ts';
import { runJobs } from './run-jobs.ts';

let mail: MailApp;
let app: TestApp;

beforeAll(async () => {
  mail = await startMailApp();
  ({ app } = mail);
});
afterAll(() => mail?.[Symbol.asyncDispose]());
beforeEach(() => {
  mail.caught.length = 0;
  mail.lines.length = 0;
  mail.reply = () => {};
});
afterEach(() => app.admin.query('DELETE FROM pgboss.job'));

test('sends no mail when the transaction that requests it is rolled back', async () => {
  const invitation = await plantInvitation(app.admin, mail.tenant);
  const change = asTenant(app.ctx.db, mail.tenant, async (tx) => {
    await plantMail(app.ctx, tx, mail.tenant, { invitation });
    throw new Error('changed my mind');
  });
  await expect(change).rejects.toThrow('changed my mind');
  const { rows } = await app.admin.query(
    `SELECT (SELECT count(*)::int FROM pgboss.job WHERE name = 'send-mail') AS jobs, (SELECT count(*)::int FROM mails WHERE invitation_id = $1) AS mails`,
    [invitation.id],
  );
  expect(rows[0]).toEqual({ jobs: 0, mails: 0 });
});

test('retries a deferred mail, and keeps the recipient out of the log', async () => {
  await using _jobs = await runJobs(app.ctx);
  let tries = 0;
  mail.reply = () => ((tries += 1) < 2 ? { code: 451 } : undefined);
  const { mailId, invitation } = await mail.invite({ name: 'Ada Lovelace' });
  await expect.poll(async () => (await mail.findMail(mailId)).status, { timeout: 15_000 }).toBe('sent');
  expect(tries).toBe(2);
  expect(mail.caught).toHaveLength(1);
  const logText = mail.lines.join();
  expect(logText).toContain('job failed');
  expect(logText).toContain(mailId);
  expect(logText).not.toContain(invitation.email);
  expect(logText).not.toContain('Lovelace');
  expect(logText).not.toContain('il_');
});

test('holds a mail while the mail server is unavailable', async () => {
  await mail.stopServer();
  await using _jobs = await runJobs(app.ctx);
  const delayed = await mail.countOutcome('delayed');
  const { mailId } = await mail.invite();
  await expect.poll(() => mail.countOutcome('delayed'), { timeout: 15_000 }).toBeGreaterThan(delayed);
  expect((await mail.findMail(mailId)).status).toBe('waiting');
  await mail.startServer();
  await expect.poll(async () => (await mail.findMail(mailId)).status, { timeout: 20_000 }).toBe('sent');
  expect(mail.caught).toHaveLength(1);
});

test('leaves mail to other nodes when this one has no mail server', async () => {
  await using _jobs = await runJobs({ ...app.ctx, mailer: null });
  const { mailId } = await mail.invite();
  await sleep(1_500);
  expect((await mail.findMail(mailId)).status).toBe('waiting');
  const { rows } = await app.admin.query(
    `SELECT state, retry_count FROM pgboss.job WHERE name = 'send-mail'`,
  );
  expect(rows).toEqual([{ state: 'created', retry_count: 0 }]);
});
