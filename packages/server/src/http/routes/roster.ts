import { operations, type RosterInvitationWire, type RosterMemberWire } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { formatId, parseId } from '../../ids.ts';
import { getInvitation } from '../../services/roster/get-invitation.ts';
import { invitePerson } from '../../services/roster/invite-person.ts';
import { removeMember } from '../../services/roster/remove-member.ts';
import { requireRoster } from '../../services/roster/require-roster.ts';
import { revokeInvitation } from '../../services/roster/revoke-invitation.ts';
import { rosterNotFound } from '../../services/roster/roster-not-found.ts';
import { readRosterPage } from '../../services/roster/roster-page.ts';
import { updateMember } from '../../services/roster/update-member.ts';
import { listInvitationsBefore, type Invitation } from '../../store/roster/invitations.ts';
import { listMembersBefore, type Member } from '../../store/roster/members.ts';
import type { App } from '../frame/app-type.ts';
import { actingOf, callerOf } from '../frame/auth.ts';
import { badBody } from '../frame/errors.ts';
import { userIdOf } from '../parameters/user-id.ts';

export function registerRosterRoutes(app: App, ctx: Context): void {
  /** Rejects every roster operation the same way until the roster is configured. */
  const check = (request: FastifyRequest) => requireRoster(ctx, callerOf(request).account);

  app.post(
    '/v1/team/roster/invitations',
    { schema: operations.createRosterInvitation },
    async (request, reply) => {
      const { email, name = null, user_id: userId, reference_id: referenceId = null } = request.body;
      if (userId !== undefined && referenceId !== null)
        throw badBody(
          'Send either `user_id` or `reference_id`, not both. An existing user already has a reference.',
        );
      check(request);
      const invitation = await invitePerson(ctx, actingOf(request), {
        email,
        name,
        userId: userId === undefined ? null : userIdOf(userId),
        referenceId,
      });
      return reply.code(201).send(toInvitationWire(invitation));
    },
  );

  app.get('/v1/team/roster/invitations', { schema: operations.listRosterInvitations }, async (request) => {
    check(request);
    const { tenant } = callerOf(request);
    const page = await readRosterPage(ctx, tenant, 'roster-invitations', request.query, (place) =>
      listInvitationsBefore(ctx.db, tenant, place),
    );
    return { data: page.items.map(toInvitationWire), next_cursor: page.nextCursor };
  });

  app.get('/v1/team/roster/invitations/:id', { schema: operations.getRosterInvitation }, async (request) => {
    check(request);
    const { tenant } = callerOf(request);
    return toInvitationWire(await getInvitation(ctx, tenant, invitationIdOf(request.params.id)));
  });

  app.delete(
    '/v1/team/roster/invitations/:id',
    { schema: operations.deleteRosterInvitation },
    async (request, reply) => {
      check(request);
      await revokeInvitation(ctx, actingOf(request), invitationIdOf(request.params.id));
      return reply.code(204).send();
    },
  );

  app.get('/v1/team/roster', { schema: operations.listRosterMembers }, async (request) => {
    check(request);
    const { tenant } = callerOf(request);
    const page = await readRosterPage(ctx, tenant, 'roster-members', request.query, (place) =>
      listMembersBefore(ctx.db, tenant, place),
    );
    return { data: page.items.map(toMemberWire), next_cursor: page.nextCursor };
  });

  app.patch('/v1/team/roster/:id', { schema: operations.updateRosterMember }, async (request) => {
    check(request);
    const id = memberIdOf(request.params.id);
    return toMemberWire(await updateMember(ctx, actingOf(request), id, request.body.status));
  });

  app.delete('/v1/team/roster/:id', { schema: operations.deleteRosterMember }, async (request, reply) => {
    check(request);
    await removeMember(ctx, actingOf(request), memberIdOf(request.params.id));
    return reply.code(204).send();
  });
}

function invitationIdOf(id: string): string {
  const uuid = parseId('inv', id);
  if (!uuid) throw rosterNotFound('Invitation', id);
  return uuid;
}

function memberIdOf(id: string): string {
  const uuid = parseId('mem', id);
  if (!uuid) throw rosterNotFound('Member', id);
  return uuid;
}

export function toInvitationWire(invitation: Invitation): RosterInvitationWire {
  return {
    id: formatId('inv', invitation.id),
    email: invitation.email,
    name: invitation.name,
    status: invitation.status,
    mail_status: invitation.mailStatus,
    member_id: invitation.memberId && formatId('mem', invitation.memberId),
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}

function toMemberWire(member: Member): RosterMemberWire {
  return {
    id: formatId('mem', member.id),
    user_id: formatId('user', member.userId),
    name: member.name,
    email: member.email,
    status: member.status,
    joined_at: member.joinedAt,
    archived_at: member.archivedAt,
  };
}
