import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { endLink, findOpenLinkById } from '../../store/accounts/operator-links.ts';
import {
  deleteAuthenticator,
  deleteOperator,
  findOperator,
  listTeamRoles,
  lockTeam,
  updateOperatorRole,
  type Operator,
} from '../../store/accounts/operators.ts';
import { record } from '../audit/record.ts';

type TeamContext = Pick<Context, 'operator' | 'newId'>;

/** Changes a colleague's role. Throws `not_found` or `last_owner`. */
export function changeRole(
  ctx: TeamContext,
  actor: Actor,
  { accountId, operatorId, role }: { accountId: string; operatorId: string; role: OperatorRole },
): Promise<Operator> {
  return inTransaction(ctx.operator, async (tx) => {
    const before = await holdColleague(tx, accountId, operatorId);
    if (before.role === role) return before;
    if (before.role === 'owner') await keepAnOwner(tx, before);
    await updateOperatorRole(tx, operatorId, role);
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.role_changed',
        target: { type: 'operator', id: formatId('op', operatorId) },
        data: { before: before.role, after: role },
      },
    );
    return { ...before, role };
  });
}

/** Removes a colleague and their sessions. Throws `not_found` or `last_owner`. */
export function removeColleague(
  ctx: TeamContext,
  actor: Actor,
  { accountId, operatorId }: { accountId: string; operatorId: string },
): Promise<void> {
  return inTransaction(ctx.operator, async (tx) => {
    const colleague = await holdColleague(tx, accountId, operatorId);
    if (colleague.role === 'owner') await keepAnOwner(tx, colleague);
    await deleteOperator(tx, operatorId);
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.removed',
        target: { type: 'operator', id: formatId('op', operatorId) },
        data: { role: colleague.role },
      },
    );
  });
}

/** Removes a lost authenticator. The dashboard user signs in by password until they set up another. */
export function forgetAuthenticator(ctx: TeamContext, actor: Actor, operator: Operator): Promise<void> {
  const { id, accountId } = operator;
  return inTransaction(ctx.operator, async (tx) => {
    await deleteAuthenticator(tx, id);
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.authenticator_changed',
        target: { type: 'operator', id: formatId('op', id) },
        data: { enabled: false },
      },
    );
  });
}

/** Revokes an invitation that was not accepted yet. Throws `not_found`. */
export function revokeInvitation(
  ctx: TeamContext,
  actor: Actor,
  { accountId, linkId }: { accountId: string; linkId: string },
): Promise<void> {
  return inTransaction(ctx.operator, async (tx) => {
    const link = await findOpenLinkById(tx, linkId);
    if (link?.accountId !== accountId || link.kind !== 'invitation') throw new ApiError('not_found');
    if (!(await endLink(tx, linkId, 'revoked'))) throw new ApiError('not_found');
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.uninvited',
        target: { type: 'operator_invitation', id: formatId('oli', linkId) },
        data: { role: link.role },
      },
    );
  });
}

async function holdColleague(tx: Queryable, accountId: string, operatorId: string): Promise<Operator> {
  await lockTeam(tx, accountId);
  const operator = await findOperator(tx, operatorId);
  if (operator?.accountId !== accountId) throw new ApiError('not_found');
  return operator;
}

async function keepAnOwner(tx: Queryable, leaving: Operator): Promise<void> {
  const team = await listTeamRoles(tx, leaving.accountId);
  if (!team.some(({ operatorId, role }) => role === 'owner' && operatorId !== leaving.id))
    throw new ApiError('last_owner');
}
