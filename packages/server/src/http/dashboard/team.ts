import {
  ApiError,
  teamOperations as operations,
  type TeamInvitationWire,
  type TeamMemberWire,
} from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId, parseId, type IdPrefix } from '../../ids.ts';
import { requireConfirmed } from '../../services/operators/confirm-identity.ts';
import { changeRole, removeColleague, revokeInvitation } from '../../services/operators/change-team.ts';
import { inviteColleague } from '../../services/operators/invite-colleague.ts';
import { readTeam, type Team } from '../../services/operators/read-team.ts';
import type { Operator } from '../../store/accounts/operators.ts';
import type { App } from '../frame/app-type.ts';
import { actorOf, operatorOf } from './operators.ts';

/** Routes for dashboard users and their roles. Every role reads them, and owners change them. */
export function registerTeamRoutes(app: App, ctx: Context): void {
  app.get('/team', { schema: operations.getTeam, config: { role: 'viewer' } }, async (request) => {
    const { members, invitations } = await readTeam(ctx, operatorOf(request).accountId);
    return { members: members.map(toMember), invitations: invitations.map(toInvitation) };
  });

  app.post(
    '/team/invitations',
    { schema: operations.inviteColleague, config: { role: 'owner' } },
    async (request, reply) => {
      const { id: invitedBy, accountId } = operatorOf(request);
      const { email, role } = request.body;
      if (role === 'owner') requireConfirmed(operatorOf(request));
      const invitation = await inviteColleague(ctx, actorOf(request), {
        accountId,
        email: email.trim(),
        role,
        invitedBy,
      });
      return reply.code(201).send(toInvitation(invitation));
    },
  );

  app.delete(
    '/team/invitations/:id',
    { schema: operations.revokeColleagueInvitation, config: { role: 'owner' } },
    async (request, reply) => {
      const { accountId } = operatorOf(request);
      const linkId = requireOwn('oli', request.params.id);
      await revokeInvitation(ctx, actorOf(request), { accountId, linkId });
      return reply.code(204).send();
    },
  );

  app.patch(
    '/team/members/:id',
    { schema: operations.changeColleague, config: { role: 'owner' } },
    async (request) => {
      const { accountId } = operatorOf(request);
      const operatorId = requireOwn('op', request.params.id);
      const { role } = request.body;
      if (role === 'owner') requireConfirmed(operatorOf(request));
      return toMember(await changeRole(ctx, actorOf(request), { accountId, operatorId, role }));
    },
  );

  app.delete(
    '/team/members/:id',
    { schema: operations.removeColleague, config: { role: 'owner' } },
    async (request, reply) => {
      const { accountId } = operatorOf(request);
      const operatorId = requireOwn('op', request.params.id);
      await removeColleague(ctx, actorOf(request), { accountId, operatorId });
      return reply.code(204).send();
    },
  );
}

/** Returns the UUID of an id. Throws `not_found` if the id is malformed. */
export function requireOwn(prefix: IdPrefix, id: string): string {
  const parsed = parseId(prefix, id);
  if (parsed === null) throw new ApiError('not_found');
  return parsed;
}

function toMember(operator: Operator): TeamMemberWire {
  return {
    id: formatId('op', operator.id),
    email: operator.email,
    name: operator.name,
    role: operator.role,
    two_factor: operator.hasAuthenticator,
    joined_at: operator.joinedAt,
    last_seen_at: operator.lastSeenAt,
  };
}

function toInvitation(link: Omit<Team['invitations'][number], 'inviterId'>): TeamInvitationWire {
  return {
    id: formatId('oli', link.id),
    email: link.email!, // invitations always have an address
    role: link.role!,
    invited_by: link.invitedBy,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  };
}
