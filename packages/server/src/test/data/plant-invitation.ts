import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { requestMail } from '../../services/mails/request-mail.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { MailKind } from '../../store/roster/mails.ts';
import type { Tenant } from '../../store/database/tenant.ts';

export interface PlantedInvitation {
  id: string;
  userId: string;
  email: string;
  name: string | null;
}

/** A pending invitation, inserted without tenant isolation. */
export async function plantInvitation(
  admin: Queryable,
  tenant: Tenant,
  {
    email = `${randomUUID()}@example.com`,
    name = null,
    kind = 'new',
  }: { email?: string; name?: string | null; kind?: 'new' | 'existing' } = {},
): Promise<PlantedInvitation> {
  const [id, userId] = [randomUUID(), randomUUID()];
  await admin.query({
    text: `INSERT INTO roster_invitations (id, account_id, environment, email, name, user_id, kind, created_at, expires_at, link_hash, link_key_version)
           VALUES ($1, $2, $3, $4, $5, $6, $7, tributary_now(), tributary_now() + interval '7 days', $8, 1)`,
    values: [id, tenant.accountId, tenant.environment, email, name, userId, kind, randomBytes(32)],
  });
  return { id, userId, email, name };
}

/** Queues an invitation's email and returns its ID. */
export async function plantMail(
  ctx: Pick<Context, 'jobs' | 'newId'>,
  tx: Queryable,
  tenant: Tenant,
  { invitation, kind = 'invitation' }: { invitation: PlantedInvitation; kind?: MailKind },
): Promise<string> {
  let mailId = '';
  const newId = () => (mailId = ctx.newId());
  await requestMail({ jobs: ctx.jobs, newId }, tx, tenant, {
    kind,
    invitationId: invitation.id,
    userId: invitation.userId,
  });
  return mailId;
}

/** Makes the invited person a member. */
export async function plantMember(
  admin: Queryable,
  tenant: Tenant,
  invitation: PlantedInvitation,
): Promise<string> {
  const id = randomUUID();
  await admin.query({
    text: `INSERT INTO roster_members (id, account_id, environment, user_id, born, email, name, status, joined_at, link_hash, link_key_version)
           VALUES ($1, $2, $3, $4, true, $5, $6, 'active', tributary_now(), $7, 1)`,
    values: [
      id,
      tenant.accountId,
      tenant.environment,
      invitation.userId,
      invitation.email,
      invitation.name,
      randomBytes(32),
    ],
  });
  await admin.query({
    text: `UPDATE roster_invitations SET status = 'accepted', member_id = $2, ended_at = tributary_now() WHERE id = $1`,
    values: [invitation.id, id],
  });
  return id;
}
