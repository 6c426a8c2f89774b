import type { FastifyInstance } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { whoAsks } from './guard.ts';

/** Serves the user id, permissions and deregistration, under both paths that clients use. */
export function serveUser(app: FastifyInstance, frame: Frame, onLeft: (grant: Grant) => void): void {
  for (const api of ['wellness-api', 'partner-gateway']) {
    const path = `/apis/${api}/rest/user`;
    app.get(`${path}/id`, (request, reply) => {
      const asks = whoAsks(frame, request, reply);
      return asks ? { userId: asks.grant.userId } : reply;
    });
    app.get(`${path}/permissions`, (request, reply) => {
      const asks = whoAsks(frame, request, reply);
      return asks ? { permissions: asks.grant.scopes } : reply;
    });
    app.delete(`${path}/registration`, (request, reply) => {
      const asks = whoAsks(frame, request, reply);
      if (!asks) return reply;
      onLeft(asks.grant);
      frame.oauth.revoke(asks.grant.id);
      return reply.code(204).send();
    });
  }
}
