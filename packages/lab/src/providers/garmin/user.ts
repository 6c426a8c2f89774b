import type { FastifyInstance } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { admit } from './guard.ts';

/** Serves the user id, permissions and deregistration, under both paths that clients use. */
export function serveUser(app: FastifyInstance, frame: Frame, onLeft: (grant: Grant) => void): void {
  for (const api of ['wellness-api', 'partner-gateway']) {
    const path = `/apis/${api}/rest/user`;
    app.get(`${path}/id`, (request, reply) => {
      const caller = admit(frame, request, reply);
      return caller ? { userId: caller.grant.userId } : reply;
    });
    app.get(`${path}/permissions`, (request, reply) => {
      const caller = admit(frame, request, reply);
      return caller ? { permissions: caller.grant.scopes } : reply;
    });
    app.delete(`${path}/registration`, (request, reply) => {
      const caller = admit(frame, request, reply);
      if (!caller) return reply;
      onLeft(caller.grant);
      frame.oauth.revoke(caller.grant.id);
      return reply.code(204).send();
    });
  }
}
