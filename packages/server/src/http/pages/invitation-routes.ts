import { ApiError } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { isSecretToken } from '../../credentials/secret-token.ts';
import { replyToInvitation, type InvitationReply } from '../../services/roster/reply-to-invitation.ts';
import { openInvitation, type InvitationView } from '../../services/roster/open-invitation.ts';
import { originOf } from '../frame/auth.ts';
import { endedInvitationPage } from './ended-invitation-page.ts';
import { acceptedPage, declinedPage, invitationPage, unavailableInvitationPage } from './invitation-page.ts';
import type { Page } from './layout.ts';
import { formOf, linkRoute, type LinkRoute } from './link-route.ts';
import { unknownLinkPage } from './message-page.ts';
import type { SendPage } from './send-page.ts';

/** The page of an invitation link. Viewing it changes nothing, because mail scanners open links too. */
export function registerInvitationPages(scope: FastifyInstance, ctx: Context, send: SendPage): void {
  scope.route<LinkRoute>({
    ...linkRoute,
    method: ['GET', 'HEAD'],
    url: '/invitations/:token',
    handler: async ({ params: { token } }, reply) => {
      const view = isSecretToken('il_', token) ? await openInvitation(ctx, token) : null;
      if (!view) return send(reply, 404, unknownLinkPage());
      return send(reply, view.status === 'pending' ? 200 : 410, currentPage(view));
    },
  });

  scope.route<LinkRoute>({
    ...linkRoute,
    method: 'POST',
    url: '/invitations/:token',
    handler: async (request, reply) => {
      const { token } = request.params;
      if (!isSecretToken('il_', token)) return send(reply, 404, unknownLinkPage());
      const choice = formOf(request).get('choice');
      if (choice !== 'accept' && choice !== 'decline') throw new ApiError('invalid_request');
      const result = await replyToInvitation(ctx, token, choice, originOf(request));
      if (!result) return send(reply, 404, unknownLinkPage());
      const [status, page] = resultOf(result);
      return send(reply, status, page);
    },
  });
}

function currentPage(view: InvitationView): Page {
  return view.status === 'pending' ? invitationPage(view) : endedInvitationPage(view, view.status);
}

function resultOf({ outcome, view, membershipPath }: InvitationReply): [status: number, page: Page] {
  switch (outcome) {
    case 'accepted':
      return [200, acceptedPage(view, membershipPath)];
    case 'declined':
      return [200, declinedPage(view)];
    case 'unavailable':
      return [409, unavailableInvitationPage(view)];
    case 'ended':
      return [410, currentPage(view)];
  }
}
