import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { PushTargets, type PushTarget } from '../../services/sync/push-targets.ts';
import { receivePush } from '../../services/sync/receive-push.ts';
import { chargeRejected } from '../frame/rate-limit.ts';

const largestPushBytes = 16 * 1024 * 1024;

interface PushRoute {
  Params: { environment: string; provider: string; secret: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every push, before its body is read. */
    pushTarget: PushTarget | null;
  }
}

/** Serves the URLs that providers push to. Bodies stay raw because signatures cover their bytes. */
export async function installPushes(app: FastifyInstance, ctx: Context): Promise<void> {
  const targets = new PushTargets(ctx);
  await app.register(async (scope) => {
    scope.decorateRequest('pushTarget', null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: largestPushBytes },
      (_request, body, done) => done(null, body),
    );
    scope.route<PushRoute>({
      method: ['GET', 'HEAD', 'POST'],
      url: '/push/:environment/:provider/:secret',
      schema: { hide: true, querystring: { type: 'object' } },
      // The secret in the path is the credential, so no body is read without it.
      onRequest: async (request) => {
        request.pushTarget = await targets.find(request.params);
        if (request.pushTarget) return;
        // Requests to unknown URLs count against the address limit; provider pushes do not.
        chargeRejected(ctx, request.ip, 'push');
        throw new ApiError('not_found');
      },
      handler: async (request, reply) => {
        const { status, body } = await receivePush(ctx, request.pushTarget!, toPush(request));
        if (body === undefined) return reply.code(status).send();
        return reply.code(status).header('Content-Type', 'application/json; charset=utf-8').send(body);
      },
    });
  });
}

function toPush({ method, url, headers, body }: Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'>) {
  return {
    method,
    query: new URL(url, 'http://push').searchParams,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}
