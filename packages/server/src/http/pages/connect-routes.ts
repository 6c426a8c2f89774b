import { ApiError } from '@tributary/contract';
import { findProvider } from '@tributary/providers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isSecretToken } from '../../credentials/secret-token.ts';
import {
  cancelConnecting,
  continueConnecting,
  shareField,
} from '../../services/connections/continue-connecting.ts';
import { finishConnecting } from '../../services/connections/finish-connecting.ts';
import { openConnectLink, type ConnectView } from '../../services/connections/open-connect-link.ts';
import { findApp } from '../../services/providers/find-app.ts';
import { originOf } from '../frame/auth.ts';
import {
  confirmReturnPage,
  connectPage,
  endedConnectPage,
  returnTo,
  unknownConnectPage,
} from './connect-page.ts';
import { formTarget } from './form-target.ts';
import { formOf, linkRoute, type LinkRoute } from './link-route.ts';
import type { SendPage } from './send-page.ts';

/** Identifies the browser that continued to a provider when it returns. */
const cookie = '__Host-tributary_connect';
const cookieSeconds = 1_800;
/** Headers for all redirects, because their source or target URL contains a secret. */
const unkept = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** The pages between an app and a provider. Viewing a link changes nothing. Continuing does. */
export function registerConnectPages(scope: FastifyInstance, ctx: Context, send: SendPage): void {
  /** Redirects to the app with the outcome, or shows it on a page if there is no redirect URL. */
  const end = (reply: FastifyReply, view: ConnectView, status: number) => {
    const shouldRedirect = view.redirectUrl !== null && status !== 410;
    if (shouldRedirect) return reply.headers(unkept).redirect(returnTo(view), 303);
    return send(reply, status, endedConnectPage(view));
  };

  scope.route({
    ...linkRoute,
    method: ['GET', 'HEAD'],
    url: '/connect/callback',
    handler: async (request, reply) => {
      const query = queryOf(request);
      return finish(request, reply, { query, browser: cookieOf(request), confirmed: false });
    },
  });

  scope.route({
    ...linkRoute,
    method: 'POST',
    url: '/connect/callback',
    handler: async (request, reply) =>
      finish(request, reply, { query: formOf(request), browser: null, confirmed: true }),
  });

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    back: { query: URLSearchParams; browser: string | null; confirmed: boolean },
  ): Promise<FastifyReply> {
    const state = back.query.get('state') ?? '';
    const finished = isSecretToken('cs_', state)
      ? await finishConnecting(ctx, { ...back, state, origin: originOf(request) })
      : null;
    if (!finished) return send(reply, 404, unknownConnectPage());
    const { outcome, view } = finished;
    if (outcome === 'confirm') return send(reply, 200, confirmReturnPage(view, back.query));
    reply.header('Set-Cookie', `${cookie}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`);
    return end(reply, view, outcome === 'failed' ? 502 : outcome === 'ended' ? 410 : 200);
  }

  scope.route<LinkRoute>({
    ...linkRoute,
    method: ['GET', 'HEAD'],
    url: '/connect/:token',
    handler: async ({ params: { token } }, reply) => {
      const opened = isSecretToken('cl_', token) ? await openConnectLink(ctx, token) : null;
      if (!opened) return send(reply, 404, unknownConnectPage());
      const { view } = opened;
      if (view.status !== 'open') return send(reply, 410, endedConnectPage(view));
      return send(reply, 200, { ...connectPage(view), formTargets: await formTargetsOf(view) });
    },
  });

  scope.route<LinkRoute>({
    ...linkRoute,
    method: 'POST',
    url: '/connect/:token',
    handler: async (request, reply) => {
      const { token } = request.params;
      if (!isSecretToken('cl_', token)) return send(reply, 404, unknownConnectPage());
      const choice = formOf(request).get('choice');
      if (choice === 'cancel') {
        const left = await cancelConnecting(ctx, token);
        return left
          ? end(reply, left.view, left.cancelled ? 200 : 410)
          : send(reply, 404, unknownConnectPage());
      }
      if (choice !== 'continue') throw new ApiError('invalid_request');
      const continued = await continueConnecting(ctx, token, formOf(request).getAll(shareField));
      if (!continued) return send(reply, 404, unknownConnectPage());
      if (continued.outcome !== 'onwards')
        return send(reply, continued.outcome === 'ended' ? 410 : 503, endedConnectPage(continued.view));
      return reply
        .header(
          'Set-Cookie',
          `${cookie}=${continued.browser}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}`,
        )
        .headers(unkept)
        .redirect(continued.url, 303);
    },
  });

  /** Targets of the page's two buttons: the provider's consent page and the app. */
  async function formTargetsOf(view: ConnectView): Promise<string[]> {
    const provider = findProvider(view.provider.id)!;
    const app = await findApp(ctx, ctx.db, view.environment, provider);
    const onwards =
      app && provider.oauth.authorizeUrl(app, { redirectUri: 'https://a/', state: '', challenge: '' });
    return [onwards, view.redirectUrl].flatMap((url) => (url === null ? [] : [formTarget(url)]));
  }
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://page').searchParams;
}

function cookieOf(request: FastifyRequest): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookie}=`))?.slice(cookie.length + 1) ?? null;
}
