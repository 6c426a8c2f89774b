import { ApiError, signInOperations as operations } from '@tributary/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { parseUuid } from '../../ids.ts';
import { endSession } from '../../services/operators/end-session.ts';
import { listSessions } from '../../services/operators/list-sessions.ts';
import {
  changePassword,
  confirmAuthenticator,
  removeAuthenticator,
  renewBackupCodes,
  startAuthenticator,
  type OwnSession,
} from '../../services/operators/own-credentials.ts';
import type { App } from '../frame/app-type.ts';
import { browserOf, passCookies } from './sign-in.ts';
import { actorOf, operatorOf } from './operators.ts';

const own = { role: 'viewer' } as const;
const enrolling = { ...own, beforeEnrollment: true } as const;

/** Routes with which dashboard users manage their own password, authenticator and sessions. */
export function registerSecurityRoutes(app: App, ctx: Context): void {
  app.post('/password', { schema: operations.changePassword, config: own }, async (request, reply) => {
    await changePassword(ctx, sessionOf(request, reply), request.body);
    return reply.code(204).send();
  });

  app.post(
    '/authenticator',
    { schema: operations.startAuthenticator, config: enrolling },
    async (request, reply) => {
      const { password } = request.body;
      const { uri, backupCodes } = await startAuthenticator(ctx, sessionOf(request, reply), password);
      return { uri, backup_codes: backupCodes };
    },
  );

  app.post(
    '/authenticator/confirm',
    { schema: operations.confirmAuthenticator, config: enrolling },
    async (request, reply) => {
      await confirmAuthenticator(ctx, sessionOf(request, reply), request.body.code);
      return reply.code(204).send();
    },
  );

  app.post(
    '/authenticator/remove',
    { schema: operations.removeAuthenticator, config: own },
    async (request, reply) => {
      await removeAuthenticator(ctx, sessionOf(request, reply), request.body.password);
      return reply.code(204).send();
    },
  );

  app.post(
    '/authenticator/backup-codes',
    { schema: operations.renewBackupCodes, config: own },
    async (request, reply) => ({
      backup_codes: await renewBackupCodes(ctx, sessionOf(request, reply), request.body.password),
    }),
  );

  app.get('/sessions', { schema: operations.listSessions, config: own }, async (request) => {
    const sessions = await listSessions(ctx, operatorOf(request));
    return {
      data: sessions.map((session) => ({
        id: session.id,
        current: session.isCurrent,
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

function sessionOf(request: FastifyRequest, reply: FastifyReply): OwnSession {
  return {
    operator: operatorOf(request),
    browser: browserOf(request),
    setCookies: (cookies) => passCookies(reply, cookies),
  };
}
