import { ApiError, invitationDays } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  findInvitation,
  hasPendingInvitation,
  insertInvitation,
  markExpired,
  type Invitation,
  type InvitationKind,
} from '../../store/roster/invitations.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { findWithdrawnUser, isMember } from '../../store/roster/members.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { findUserByReference, lockUser } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { requestMail } from '../mails/request-mail.ts';
import { userNotFound } from '../users/user-not-found.ts';

export interface InvitePersonInput {
  email: string;
  name: string | null;
  /** An existing user for the member, or null to create or restore one for the person. */
  userId: string | null;
  referenceId: string | null;
}

/** Invites a person by mail to share data. Throws `not_found`, `already_member`, `already_invited` or `reference_id_taken`. */
export function invitePerson(ctx: Context, acting: Acting, input: InvitePersonInput): Promise<Invitation> {
  return asTenant(ctx.db, acting, async (tx) => {
    await lockRoster(tx, acting);
    await refuseKnown(tx, acting, input);
    const { userId, kind } = await chooseUser(ctx, tx, acting, input);
    const id = ctx.newId();
    const keyVersion = ctx.keyring.newestVersion;
    await insertInvitation(tx, acting, {
      ...input,
      id,
      userId,
      kind,
      days: invitationDays,
      linkHash: hashSecret(deriveLinkToken(ctx.keyring, 'invitation', { id, keyVersion })),
      linkKeyVersion: keyVersion,
    });
    await requestMail(ctx, tx, acting, { kind: 'invitation', invitationId: id, userId });
    await record(ctx, tx, acting, {
      action: 'roster_invitation.created',
      target: { type: 'roster_invitation', id: formatId('inv', id) },
      data: { user: formatId('user', userId), kind },
      person: userId,
      text: { email: input.email, name: input.name, reference_id: input.referenceId },
    });
    return (await findInvitation(tx, acting, id))!; // inserted by this transaction
  });
}

async function refuseKnown(tx: Queryable, acting: Acting, person: InvitePersonInput): Promise<void> {
  if (person.userId !== null && !(await lockUser(tx, acting, person.userId)))
    throw userNotFound(formatId('user', person.userId));
  await markExpired(tx, acting, person);
  if (await isMember(tx, acting, person)) throw new ApiError('already_member');
  if (await hasPendingInvitation(tx, acting, person)) throw new ApiError('already_invited');
  if (person.referenceId !== null && (await findUserByReference(tx, acting, person.referenceId)))
    throw new ApiError('reference_id_taken');
}

/** Returns the id of the user that will hold the data. An id for a new user is chosen now, because all data about the person refers to it. */
async function chooseUser(
  ctx: Context,
  tx: Queryable,
  acting: Acting,
  { email, userId }: InvitePersonInput,
): Promise<{ userId: string; kind: InvitationKind }> {
  if (userId !== null) return { userId, kind: 'existing' };
  const withdrawn = await findWithdrawnUser(tx, acting, email);
  return withdrawn ? { userId: withdrawn, kind: 'returning' } : { userId: ctx.newId(), kind: 'new' };
}
