import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { sendMail } from '../../services/mails/send-mail.ts';
import { entriesDuring } from '../../test/audit.ts';
import { startMailApp, type MailApp } from '../../test/apps/mail-app.ts';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import type { TestApp } from '../../test/apps/test-app.ts';

let mail: MailApp;
let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  mail = await startMailApp();
  ({ app } = mail);
  ({ browser } = await joinAs(app, 'developer'));
});
afterAll(() => mail?.[Symbol.asyncDispose]());
beforeEach(() => {
  mail.caught.length = 0;
  mail.reply = () => {};
});

const resend = (id: string, who = browser, environment = 'live') =>
  who.call('POST', `/roster/invitations/${formatId('inv', id)}/resend?environment=${environment}`);

const mailsOf = async (invitationId: string) =>
  (await app.admin.query('SELECT id, status FROM mails WHERE invitation_id = $1 ORDER BY id', [invitationId]))
    .rows;

/** Creates an invitation that was mailed two hours ago. */
async function mailed(): Promise<{ id: string; email: string }> {
  const { mailId, invitation } = await mail.invite();
  await sendMail(app.ctx, mailId);
  await letRest(invitation.id);
  mail.caught.length = 0;
  return invitation;
}

const letRest = (invitationId: string) =>
  app.admin.query(`UPDATE mails SET created_at = created_at - interval '2 hours' WHERE invitation_id = $1`, [
    invitationId,
  ]);

describe('POST /dashboard/api/roster/invitations/{id}/resend', () => {
  test('mails the same link again with a new Message-ID and records it in the audit log', async () => {
    const { id, email } = await mailed();
    const { response, entries } = await entriesDuring(app, () => resend(id));
    expect(response).toMatchObject({
      status: 202,
      body: { id: formatId('inv', id), email, status: 'pending', mail_status: 'waiting' },
    });
    expect(entries).toMatchObject([
      {
        action: 'roster_invitation.resent',
        actor: expect.stringMatching(/^operator op_/),
        target: `roster_invitation ${formatId('inv', id)}`,
        environment: 'live',
      },
    ]);
    const [first, second] = await mailsOf(id);
    await sendMail(app.ctx, second.id);
    expect(mail.caught).toHaveLength(1);
    expect(mail.caught[0]!.recipients).toEqual([email]);
    expect(mail.caught[0]!.messageId).toContain(second.id.replaceAll('-', ''));
    expect(mail.caught[0]!.messageId).not.toContain(first.id.replaceAll('-', ''));
    const shown = await browser.api('GET', `/v1/team/roster/invitations/${formatId('inv', id)}`);
    expect(shown.body.mail_status).toBe('sent');
  });

  test("resends after a refused mail, and the invitation shows the newest mail's status", async () => {
    const { mailId, invitation } = await mail.invite();
    mail.reply = () => {
      throw Object.assign(new Error('no such mailbox'), { responseCode: 550 });
    };
    await sendMail(app.ctx, mailId);
    expect((await mail.findMail(mailId)).status).toBe('failed');
    await letRest(invitation.id);
    expect((await resend(invitation.id)).body.mail_status).toBe('waiting');
    const { body } = await browser.api('GET', '/v1/team/roster/invitations');
    const id = formatId('inv', invitation.id);
    expect(body.data.filter((one: { id: string }) => one.id === id)).toMatchObject([
      { mail_status: 'waiting' },
    ]);
  });

  test('waits an hour between mails, and ten concurrent requests send one mail', async () => {
    const { id } = await mailed();
    const responses = await Promise.all(Array.from({ length: 10 }, () => resend(id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const mails = await mailsOf(id);
    expect(mails).toHaveLength(2);
    await sendMail(app.ctx, mails[1].id);
    const { response, entries } = await entriesDuring(app, () => resend(id));
    expect(response).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(entries).toEqual([]);
    expect(await mailsOf(id)).toHaveLength(2);
  });

  test.each([
    ['revoked', `UPDATE roster_invitations SET status = 'revoked', ended_at = now() WHERE id = $1`],
    ['expired', `UPDATE roster_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`],
  ])('does not mail an invitation that is %s', async (status, change) => {
    const { id } = await mailed();
    await app.admin.query(change, [id]);
    expect(await resend(id)).toMatchObject({
      status: 404,
      body: { error: 'link_ended', details: { status } },
    });
    expect(await mailsOf(id)).toHaveLength(1);
  });

  test('rejects invitations of another account, the other environment and a suspended account', async () => {
    const { id } = await mailed();
    const other = await app.createAccount();
    await app.admin.query(`UPDATE accounts SET organization_name = 'Else' WHERE id = $1`, [other.uuid]);
    const { browser: stranger } = await joinAs(app, 'owner', { accountId: other.uuid });
    expect((await resend(id, stranger)).status).toBe(404);
    expect((await resend(id, browser, 'sandbox')).status).toBe(404);
    await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [app.account.uuid]);
    expect((await resend(id)).status).toBe(402);
    await app.admin.query(`UPDATE accounts SET status = 'active', organization_name = NULL WHERE id = $1`, [
      app.account.uuid,
    ]);
    expect((await resend(id)).body.error).toBe('roster_not_configured');
    await app.admin.query(`UPDATE accounts SET organization_name = 'Demo Health' WHERE id = $1`, [
      app.account.uuid,
    ]);
    expect(await mailsOf(id)).toHaveLength(1);
  });

  test('a viewer cannot resend', async () => {
    const { id } = await mailed();
    const { browser: viewer } = await joinAs(app, 'viewer');
    expect((await resend(id, viewer)).body.error).toBe('role_too_low');
    expect(await mailsOf(id)).toHaveLength(1);
  });
});
