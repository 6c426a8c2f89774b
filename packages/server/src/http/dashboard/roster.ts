import { rosterMailOperations as operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { requireOwnRoster } from '../../services/dashboard/require-own-roster.ts';
import { resendInvitation } from '../../services/roster/resend-invitation.ts';
import type { App } from '../frame/app-type.ts';
import { toInvitationWire } from '../routes/roster.ts';
import { actingIn } from './environment.ts';
import { requireOwn } from './team.ts';

/** Roster routes for dashboard users that the public API does not offer. */
export function registerRosterMailRoutes(app: App, ctx: Context): void {
  app.post(
    '/roster/invitations/:id/resend',
    { schema: operations.resendRosterInvitation, config: { role: 'developer' } },
    async (request, reply) => {
      const acting = actingIn(request, request.query.environment);
      await requireOwnRoster(ctx, acting.accountId);
      const invitation = await resendInvitation(ctx, acting, requireOwn('inv', request.params.id));
      return reply.code(202).send(toInvitationWire(invitation));
    },
  );
}
