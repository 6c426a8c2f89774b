import type { FastifyError, FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { toClientError } from '../frame/errors.ts';
import { limitAddress } from '../frame/rate-limit.ts';
import { limitAnonymousBody } from '../frame/request-limits.ts';
import { registerConnectPages } from './connect-routes.ts';
import { registerInvitationPages } from './invitation-routes.ts';
import { registerMembershipPages } from './membership-routes.ts';
import { failurePage, foreignFormPage } from './message-page.ts';
import { isOwnForm } from './own-form.ts';
import { registerRootPage } from './root-page.ts';
import { createPageSender } from './send-page.ts';
import { readStyleSheet } from './style-sheet.ts';

const largestFormBytes = 2_048;

/** Serves the pages that people open from mail or from an app. Errors are pages too. */
export async function installPages(app: FastifyInstance, ctx: Context): Promise<void> {
  const styleSheet = readStyleSheet();
  const send = createPageSender(styleSheet.path);

  await app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const failure = toClientError(error, request, reply);
      return send(reply, failure.status, failurePage(failure, request.id));
    });
    scope.addHook('onRoute', (route) => limitAnonymousBody(route, largestFormBytes));
    scope.addHook('onRequest', async (request, reply) => {
      await limitAddress(ctx, request.ip, 'page');
      if (request.method === 'POST' && !isOwnForm(request, ctx.config.http.publicUrl))
        return send(reply, 403, foreignFormPage(request.id));
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    registerConnectPages(scope, ctx, send);
    registerInvitationPages(scope, ctx, send);
    registerMembershipPages(scope, ctx, send);
    registerRootPage(scope, send);
  });

  app.get(styleSheet.path, { schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(styleSheet.text),
  );
}
