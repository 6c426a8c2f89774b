import { signInOperations as operations } from '@tributary/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { confirmIdentity } from '../../services/operators/confirm-identity.ts';
import { joinAndSignIn } from '../../services/operators/join.ts';
import { openOperatorLink } from '../../services/operators/operator-link.ts';
import { requestPasswordReset, resetPassword } from '../../services/operators/passwords.ts';
import { verifyCode, verifyPassword, signOut } from '../../services/operators/verify-password.ts';
import { readAccountName } from '../../services/dashboard/read-settings.ts';
import type { App } from '../frame/app-type.ts';
import { originOf } from '../frame/auth.ts';
import { operatorOf } from './operators.ts';

const anyone = { role: 'anyone' } as const;

/** Routes for signing in by password and code, joining, resetting a password, and signing out. */
export function registerSignInRoutes(app: App, ctx: Context): void {
  app.get(
    '/session',
    { schema: operations.getSession, config: { role: 'viewer', beforeEnrollment: true } },
    async (request) => {
      const operator = operatorOf(request);
      const { id, email, name, accountId, role } = operator;
      const { idleSeconds: limit } = ctx.config.dashboard;
      return {
        operator: { id: formatId('op', id), email, name, two_factor: operator.hasAuthenticator },
        account: {
          id: formatId('acc', accountId),
          name: await readAccountName(ctx, accountId),
          requires_authenticator: operator.requiresAuthenticator,
        },
        role,
        session: {
          idle_limit_seconds: limit,
          idle_remaining_seconds: limit - operator.idleSeconds,
          ends_at: operator.endsAt,
        },
      };
    },
  );

  app.post(
    '/session/confirm',
    { schema: operations.confirmIdentity, config: { role: 'viewer' } },
    async (request, reply) => {
      const session = { browser: browserOf(request), operator: operatorOf(request) };
      await confirmIdentity(ctx, session, request.body);
      return reply.code(204).send();
    },
  );

  app.post('/sign-in', { schema: operations.signIn, config: anyone }, async (request, reply) => {
    const result = await verifyPassword(ctx, browserOf(request), request.body);
    passCookies(reply, result.cookies);
    return { two_factor: result.needsCode };
  });

  app.post('/sign-in/code', { schema: operations.signInWithCode, config: anyone }, async (request, reply) => {
    passCookies(reply, await verifyCode(ctx, browserOf(request), { ...request.body, kind: 'code' }));
    return reply.code(204).send();
  });

  app.post(
    '/sign-in/backup-code',
    { schema: operations.signInWithBackupCode, config: anyone },
    async (request, reply) => {
      passCookies(reply, await verifyCode(ctx, browserOf(request), { ...request.body, kind: 'backup_code' }));
      return reply.code(204).send();
    },
  );

  app.post('/sign-out', { config: anyone }, async (request, reply) => {
    passCookies(reply, await signOut(ctx, browserOf(request)));
    return reply.code(204).send();
  });

  // The token is in the body so that proxy logs do not contain it.
  app.post('/links', { schema: operations.openLink, config: anyone }, async (request) => {
    const link = await openOperatorLink(ctx, request.body.token);
    return {
      kind: link.kind,
      account: { name: link.accountName },
      role: link.role,
      email: link.email,
      invited_by: link.invitedBy,
      expires_at: link.expiresAt,
    };
  });

  app.post('/join', { schema: operations.join, config: anyone }, async (request, reply) => {
    passCookies(reply, await joinAndSignIn(ctx, browserOf(request), request.body));
    return reply.code(204).send();
  });

  app.post(
    '/password/forgot',
    { schema: operations.forgotPassword, config: anyone },
    async (request, reply) => {
      await requestPasswordReset(ctx, request.body.email);
      return reply.code(204).send();
    },
  );

  app.post(
    '/password/reset',
    { schema: operations.resetPassword, config: anyone },
    async (request, reply) => {
      await resetPassword(ctx, originOf(request), request.body);
      return reply.code(204).send();
    },
  );
}

/** Returns the browser details that the sign-in library needs. */
export function browserOf(request: FastifyRequest) {
  const { cookie, 'user-agent': userAgent } = request.headers;
  return { cookie, userAgent, address: request.ip, requestId: request.id };
}

export function passCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('Set-Cookie', [...cookies]);
}
