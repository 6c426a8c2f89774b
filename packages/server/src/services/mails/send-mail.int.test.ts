import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { startMailApp, type MailApp } from '../../test/mail-app.ts';
import { plantInvitation, plantMail, plantMember } from '../../test/plant-invitation.ts';
import type { TestApp } from '../../test/test-app.ts';
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
  mail.answer = () => {};
});

describe('an invitation', () => {
  test('goes out once, with the link that answers it', async () => {
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

  test('of somebody whom the organization knows promises nothing that is not so', async () => {
    const { mailId } = await mail.invite({ kind: 'existing' });
    await sendMail(app.ctx, mailId);
    expect(mail.caught[0]!.text).toContain('already keeps health data about you');
  });

  test('that two workers have at once goes out once', async () => {
    const { mailId } = await mail.invite();
    mail.answer = () => sleep(500);
    const outcomes = await Promise.all([sendMail(app.ctx, mailId), sendMail(app.ctx, mailId)]);
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(mail.caught).toHaveLength(1);
  });

  test.each([
    ['revoked', `UPDATE roster_invitations SET status = 'revoked', ended_at = now() WHERE id = $1`],
    ['past its end', `UPDATE roster_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`],
  ])('that is %s is not sent any more', async (_, change) => {
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

  test('that is refused for good has failed, and its row says with which code', async () => {
    const { mailId, invitation } = await mail.invite();
    mail.answer = () => ({ code: 550 });
    const failed = await mail.countOutcome('failed');
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'failed', refusal: '550' });
    expect(await mail.findMail(mailId)).toEqual({ status: 'failed', refusal: '550' });
    expect(await mail.countOutcome('failed')).toBe(failed + 1);
    expect(await sendMail(app.ctx, mailId)).toBeNull();
    expect(mail.lines.join()).not.toContain(invitation.email);
  });

  test('that a slow server keeps waiting holds no event of others up', async () => {
    const { mailId } = await mail.invite();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mail.answer = async () => {
      ask();
      await released;
    };
    const sending = sendMail(app.ctx, mailId);
    await asked;
    // The sequencer waits for transactions with a number. Other tests have theirs, in databases of their own.
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

  test.each(['active', 'archived'])('brings the link to leave to a member who is %s', async (status) => {
    const { memberId, mailId } = await accept();
    await app.admin.query(
      `UPDATE roster_members SET status = $2, archived_at = CASE WHEN $2 = 'archived' THEN now() END WHERE id = $1`,
      [memberId, status],
    );
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ kind: 'welcome', status: 'sent' });
    const token = deriveLinkToken(app.ctx.keyring, 'membership', { id: memberId, keyVersion: 1 });
    expect(mail.caught[0]!.text.split('\n')).toContain(`https://health.example.com/memberships/${token}`);
  });

  test('is not sent to one who was removed', async () => {
    const { memberId, mailId } = await accept();
    await app.admin.query(
      `UPDATE roster_members SET status = 'removed', removed_at = now(), email = NULL WHERE id = $1`,
      [memberId],
    );
    expect(await sendMail(app.ctx, mailId)).toMatchObject({ status: 'cancelled' });
    expect(mail.caught).toEqual([]);
  });
});
