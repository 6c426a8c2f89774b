import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { asTenant, type Tenant } from '../../store/database/tenant.ts';
import { startMailApp, type MailApp } from '../../test/apps/mail-app.ts';
import { plantInvitation, plantMail, plantMember } from '../../test/data/plant-invitation.ts';
import type { TestApp } from '../../test/apps/test-app.ts';
import { sendMail } from './send-mail.ts';

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

describe('an invitation', () => {
  test('is sent once, with its link', async () => {
    const { mailId, invitation } = await mail.invite({ name: 'Ada' });
    expect(await sendMail(app.ctx, mailId)).toEqual({ kind: 'invitation', status: 'sent', refusal: null });
    expect(await sendMail(app.ctx, mailId)).toBeNull();
    expect(mail.caught).toHaveLength(1);
    expect(mail.caught[0]).toMatchObject({
      recipients: [invitation.email],
      from: 'Demo Health <post@mail.example.com>',
      to: `Ada <${invitation.email}>`,
      replyTo: 'Demo Health <team@demo.example>',
      messageId: `<${mailId.replaceAll('-', '')}@mail.example.com>`,
    });
    const token = deriveLinkToken(app.ctx.keyring, 'invitation', { id: invitation.id, keyVersion: 1 });
    const link = `https://health.example.com/invitations/${token}`;
    expect(mail.caught[0]!.text.split('\n')).toContain(link);
    expect(mail.caught[0]!.html).toContain(`href="${link}"`);
    expect(await mail.findMail(mailId)).toEqual({ status: 'sent', refusal: null });
  });

  test('to a person with existing data does not promise that the organization has none', async () => {
    const { mailId } = await mail.invite({ kind: 'existing' });
    await sendMail(app.ctx, mailId);
    expect(mail.caught[0]!.text).toContain('already has health data about you');
  });

  test('is sent once by two concurrent workers', async () => {
    const { mailId } = await mail.invite();
    mail.reply = () => sleep(500);
    const outcomes = await Promise.all([sendMail(app.ctx, mailId), sendMail(app.ctx, mailId)]);
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(mail.caught).toHaveLength(1);
  });

  test.each([
    ['revoked', `UPDATE roster_invitations SET status = 'revoked', ended_at = now() WHERE id = $1`],
    ['expired', `UPDATE roster_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`],
  ])('that is %s is not sent', async (_, change) => {
    const { mailId, invitation } = await mail.invite();
    await app.admin.query(change, [invitation.id]);
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'cancelled' });
    expect(mail.caught).toEqual([]);
    expect((await mail.findMail(mailId)).status).toBe('cancelled');
  });

  test.each([`status = 'suspended'`, 'organization_name = NULL'])(
    'of an account with %s is not sent',
    async (change) => {
      const other = await app.createAccount();
      const theirs: Tenant = { accountId: other.uuid, environment: 'live' };
      await app.admin.query(`UPDATE accounts SET organization_name = 'Other' WHERE id = $1`, [other.uuid]);
      await app.admin.query(`UPDATE accounts SET ${change} WHERE id = $1`, [other.uuid]);
      const invitation = await plantInvitation(app.admin, theirs);
      const mailId = await asTenant(app.ctx.db, theirs, (tx) =>
        plantMail(app.ctx, tx, theirs, { invitation }),
      );
      expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'cancelled' });
      expect(mail.caught).toEqual([]);
    },
  );

  test('that is permanently refused fails and stores the code', async () => {
    const { mailId, invitation } = await mail.invite();
    mail.reply = () => ({ code: 550 });
    const failed = await mail.countOutcome('failed');
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'failed', refusal: '550' });
    expect(await mail.findMail(mailId)).toEqual({ status: 'failed', refusal: '550' });
    expect(await mail.countOutcome('failed')).toBe(failed + 1);
    expect(await sendMail(app.ctx, mailId)).toBeNull();
    expect(mail.lines.join()).not.toContain(invitation.email);
  });

  test('does not block the event sequencer while a slow mail server responds', async () => {
    const { mailId } = await mail.invite();
    const { promise: requestArrived, resolve: markArrived } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mail.reply = async () => {
      markArrived();
      await released;
    };
    const sending = sendMail(app.ctx, mailId);
    await requestArrived;
    // The sequencer waits for transactions with an assigned xid. Other tests use their own databases.
    const { rows } = await app.admin.query(
      `SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`,
    );
    release();
    await sending;
    expect(rows).toEqual([]);
  });
});

describe('a welcome', () => {
  const accept = async () => {
    const invitation = await plantInvitation(app.admin, mail.tenant, { name: 'Ada' });
    const memberId = await plantMember(app.admin, mail.tenant, invitation);
    const mailId = await asTenant(app.ctx.db, mail.tenant, (tx) =>
      plantMail(app.ctx, tx, mail.tenant, { invitation, kind: 'welcome' }),
    );
    return { memberId, mailId };
  };

  test.each(['active', 'archived'])('contains the link to leave for a member who is %s', async (status) => {
    const { memberId, mailId } = await accept();
    await app.admin.query(
      `UPDATE roster_members SET status = $2, archived_at = CASE WHEN $2 = 'archived' THEN now() END WHERE id = $1`,
      [memberId, status],
    );
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ kind: 'welcome', status: 'sent' });
    const token = deriveLinkToken(app.ctx.keyring, 'membership', { id: memberId, keyVersion: 1 });
    expect(mail.caught[0]!.text.split('\n')).toContain(`https://health.example.com/memberships/${token}`);
  });

  test('is not sent to a removed member', async () => {
    const { memberId, mailId } = await accept();
    await app.admin.query(
      `UPDATE roster_members SET status = 'removed', removed_at = now(), email = NULL WHERE id = $1`,
      [memberId],
    );
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'cancelled' });
    expect(mail.caught).toEqual([]);
  });
});
