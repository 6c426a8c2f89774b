import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import type { Queryable } from '../../store/database.ts';
import type { Invitation } from '../../store/roster-invitations.ts';
import { countUsersExclusively, findUserByReference, insertUser, lockUser } from '../../store/users.ts';
import { findWithdrawnReference, returnUser } from '../../store/withdrawn-users.ts';
import { record } from '../audit/record.ts';

/** Thrown when accepting cannot give the organization its user; nothing of the acceptance is kept. */
export class UserNotToBeHad extends Error {
  override name = 'UserNotToBeHad';
  readonly reason: string;

  constructor(reason: string) {
    super(`no user can be had: ${reason}`);
    this.reason = reason;
  }
}

/** Sees to it that the user of an accepted invitation is there and in sight: kept, made, or brought back. Throws `UserNotToBeHad`. */
export async function provideUser(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: Acting,
  invitation: Invitation,
  userLimit: number | null,
): Promise<void> {
  const { id, kind, userId, referenceId } = invitation;
  if (kind === 'existing') {
    if (!(await lockUser(tx, acting, userId))) throw new UserNotToBeHad('the user is being deleted');
    return;
  }
  if (userLimit !== null && (await countUsersExclusively(tx, acting)) >= userLimit)
    throw new UserNotToBeHad('the plan allows no more users');
  if (referenceId !== null && (await findUserByReference(tx, acting, referenceId)))
    throw new UserNotToBeHad('another user has the reference by now');
  const ownReference = formatId('inv', id);
  if (kind === 'new') {
    const user = {
      id: userId,
      referenceId: referenceId ?? ownReference,
      timezone: null,
      profile: {},
      sandbox: null,
    };
    if (!(await insertUser(tx, acting, user))) throw new UserNotToBeHad('another user has the reference');
  } else {
    const before = await findWithdrawnReference(tx, acting, userId);
    if (before === null) throw new UserNotToBeHad('the user is being deleted');
    const wanted = referenceId ?? ((await findUserByReference(tx, acting, before)) ? ownReference : before);
    await returnUser(tx, acting, userId, wanted).catch((error: { code?: string }) => {
      // Somebody has created a user with it since we looked.
      throw error.code === '23505' ? new UserNotToBeHad('another user has the reference') : error;
    });
  }
  await record(ctx, tx, acting, {
    action: kind === 'new' ? 'user.created' : 'user.returned',
    target: { type: 'user', id: formatId('user', userId) },
    data: { invitation: ownReference },
    person: userId,
  });
}
