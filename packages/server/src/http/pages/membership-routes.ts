import { ApiError } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { isSecretToken } from '../../credentials/secret-token.ts';
import { leaveRoster } from '../../services/roster/leave-roster.ts';
import { openMembership, type MembershipView } from '../../services/roster/open-membership.ts';
import { originOf } from '../frame/auth.ts';
import { formOf, linkRoute, type LinkRoute } from './link-route.ts';
import { membershipPage } from './membership-page.ts';
import { notErasablePage, sharedAgainPage, unknownLinkPage } from './message-page.ts';
import type { SendPage } from './send-page.ts';

/** The page on which a person sees what they share and can stop sharing. */
export function registerMembershipPages(scope: FastifyInstance, ctx: Context, send: SendPage): void {
  async function open(token: string): Promise<MembershipView | null> {
    return isSecretToken('ml_', token) ? await openMembership(ctx, token) : null;
  }

  scope.route<LinkRoute>({
    ...linkRoute,
    method: ['GET', 'HEAD'],
    url: '/memberships/:token',
    handler: async ({ params: { token } }, reply) => {
      const view = await open(token);
      if (!view) return send(reply, 404, unknownLinkPage());
      return send(reply, isOver(view) ? 410 : 200, membershipPage(view));
    },
  });

  scope.route<LinkRoute>({
    ...linkRoute,
    method: 'POST',
    url: '/memberships/:token',
    handler: async (request, reply) => {
      const { token } = request.params;
      const view = await open(token);
      if (!view) return send(reply, 404, unknownLinkPage());
      const form = formOf(request);
      const erase = form.get('action') === 'leave_and_erase';
      if (!erase && form.get('action') !== 'leave') throw new ApiError('invalid_request');

      if (isOver(view) || (!erase && view.status === 'removed'))
        return send(reply, 410, membershipPage(view));
      if (erase && !view.own) return send(reply, 409, notErasablePage(view));
      if (erase && form.get('confirm') !== 'yes')
        return send(reply, 400, membershipPage(view, { unconfirmed: true }));

      const left = await leaveRoster(ctx, token, { erase }, originOf(request));
      if (!left) return send(reply, 404, unknownLinkPage());
      if (erase && !left.view.erased) return send(reply, 409, sharedAgainPage(left.view));
      return send(reply, 200, membershipPage(left.view));
    },
  });
}

/** Returns whether the link has no remaining action. */
function isOver({ status, own, erased }: MembershipView): boolean {
  return erased || (status === 'removed' && !own);
}
