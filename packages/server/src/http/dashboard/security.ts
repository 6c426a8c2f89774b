import { ApiError, signInOperations as operations } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { parseUuid } from '../../ids.ts';
import { callWithPassword, giveCode, noteOf } from '../../services/operators/prove.ts';
import { endSession } from '../../services/operators/end-session.ts';
import { listOperatorSessions } from '../../store/accounts/operators.ts';
import type { App } from '../frame/app-type.ts';
import { browserOf, passCookies } from './sign-in.ts';
import { actorOf, operatorOf } from './operators.ts';

const own = { role: 'viewer' } as const;

/** Routes with which dashboard users manage their own password, authenticator and sessions. */
export function registerSecurityRoutes(app: App, ctx: Context): void {
  const withPassword = (request: FastifyRequest, path: string, body: Record<string, unknown>) =>
    callWithPassword(ctx, browserOf(request), operatorOf(request).email, path, body);

  app.post('/password', { schema: operations.changePassword, config: own }, async (request, reply) => {
    const { current, password } = request.body;
    const response = await withPassword(request, '/change-password', {
      currentPassword: current,
      newPassword: password,
      revokeOtherSessions: true,
    });
    passCookies(reply, response.headers.getSetCookie());
    await noteOf(ctx, browserOf(request), operatorOf(request), 'operator.password_changed', {
      by: 'password',
    });
    return reply.code(204).send();
  });

  app.post(
    '/authenticator',
    { schema: operations.startAuthenticator, config: own },
    async (request, reply) => {
      if (operatorOf(request).hasAuthenticator)
        throw new ApiError('invalid_request', {
          message: 'You already have an authenticator. Remove it before you add another.',
        });
      const response = await withPassword(request, '/two-factor/enable', { password: request.body.password });
      const { totpURI, backupCodes } = (await response.json()) as { totpURI: string; backupCodes: string[] };
      passCookies(reply, response.headers.getSetCookie());
      return { uri: totpURI, backup_codes: backupCodes };
    },
  );

  app.post(
    '/authenticator/confirm',
    { schema: operations.confirmAuthenticator, config: own },
    async (request, reply) => {
      passCookies(reply, await giveCode(ctx, browserOf(request), { ...request.body, kind: 'code' }));
      await noteOf(ctx, browserOf(request), operatorOf(request), 'operator.authenticator_changed', {
        enabled: true,
      });
      return reply.code(204).send();
    },
  );

  app.post(
    '/authenticator/remove',
    { schema: operations.removeAuthenticator, config: own },
    async (request, reply) => {
      const response = await withPassword(request, '/two-factor/disable', {
        password: request.body.password,
      });
      passCookies(reply, response.headers.getSetCookie());
      await noteOf(ctx, browserOf(request), operatorOf(request), 'operator.authenticator_changed', {
        enabled: false,
      });
      return reply.code(204).send();
    },
  );

  app.post(
    '/authenticator/backup-codes',
    { schema: operations.renewBackupCodes, config: own },
    async (request) => {
      const response = await withPassword(request, '/two-factor/generate-backup-codes', {
        password: request.body.password,
      });
      const { backupCodes } = (await response.json()) as { backupCodes: string[] };
      return { backup_codes: backupCodes };
    },
  );

  app.get('/sessions', { schema: operations.listSessions, config: own }, async (request) => {
    const { id, sessionId } = operatorOf(request);
    const sessions = await listOperatorSessions(ctx.operator, id);
    return {
      data: sessions.map((session) => ({
        id: session.id,
        current: session.id === sessionId,
        created_at: session.createdAt,
        last_seen_at: session.lastSeenAt,
        address: session.address,
        user_agent: session.userAgent,
      })),
    };
  });

  app.delete<{ Params: { id: string } }>('/sessions/:id', { config: own }, async (request, reply) => {
    const sessionId = parseUuid(request.params.id);
    if (sessionId === null) throw new ApiError('not_found');
    await endSession(ctx, actorOf(request), operatorOf(request), sessionId);
    return reply.code(204).send();
  });
}
