import { ApiError } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { receivePush } from '../../services/sync/receive-push.ts';
import { limitAddress } from '../frame/rate-limit.ts';

const largestPushBytes = 16 * 1024 * 1024;

interface PushRoute {
  Params: { environment: 'live' | 'sandbox'; provider: string; secret: string };
}

/** Serves the URLs that providers push to. Bodies stay raw because signatures cover their bytes. */
export async function installPushes(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
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
      handler: async (request, reply) => {
        const { environment, provider, secret } = request.params;
        const isEnvironment = environment === 'live' || environment === 'sandbox';
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
        const response = isEnvironment
          ? await receivePush(
              ctx,
              { environment, provider, secret },
              {
                method: request.method,
                query: new URL(request.url, 'http://push').searchParams,
                headers: Object.fromEntries(headers),
                body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
              },
            )
          : null;
        if (!response) {
          // Requests to unknown URLs count against the address limit; provider pushes do not.
          await limitAddress(ctx, request.ip, 'push');
          throw new ApiError('not_found');
        }
        const { status, body } = response;
        if (body === undefined) return reply.code(status).send();
        return reply.code(status).header('Content-Type', 'application/json; charset=utf-8').send(body);
      },
    });
  });
}
