import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { Invitation } from '../../store/roster/invitations.ts';
import { countUsersExclusively, findUserByReference, insertUser, lockUser } from '../../store/users/users.ts';
import { findWithdrawnReference, returnUser } from '../../store/users/withdrawn.ts';
import { record } from '../audit/record.ts';

/** Thrown when accepting cannot provide the user. The acceptance is rolled back. */
export class UserNotToBeHad extends Error {
  override name = 'UserNotToBeHad';
  readonly reason: string;

  constructor(reason: string) {
    super(`no user available: ${reason}`);
    this.reason = reason;
  }
}

/** Ensures that the user of an accepted invitation exists and is visible: existing, created or restored. Throws if that is impossible. */
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
    throw new UserNotToBeHad("the plan's user limit is reached");
  if (referenceId !== null && (await findUserByReference(tx, acting, referenceId)))
    throw new UserNotToBeHad('another user has taken the reference');
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
      // Another request has created a user with this reference since the check.
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
