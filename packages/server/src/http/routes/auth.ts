import { operations, type TokenWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { createMobileToken } from '../../services/tokens/create-mobile-token.ts';
import { createUserToken } from '../../services/tokens/create-user-token.ts';
import type { App } from '../frame/app-type.ts';
import { actingOf } from '../frame/auth.ts';
import { userIdOf } from '../parameters/user-id.ts';
import type { FastifyRequest } from 'fastify';

export function registerAuthRoutes(app: App, ctx: Context): void {
  async function issueUserToken(request: FastifyRequest, userId: string): Promise<TokenWire> {
    const { token, expiresAt } = await createUserToken(ctx, actingOf(request), userIdOf(userId));
    return { token, user_id: userId, expires_at: expiresAt };
  }

  app.post('/v1/auth/user-token', { schema: operations.createUserToken }, (request) =>
    issueUserToken(request, request.body.user_id),
  );

  // A token is never extended: renewal issues a new one, and the user must still exist.
  app.post('/v1/auth/user-token/refresh', { schema: operations.refreshUserToken }, (request) =>
    issueUserToken(request, request.body.user_id),
  );

  app.post(
    '/v1/auth/mobile-token',
    { schema: operations.createMobileToken },
    async (request): Promise<TokenWire> => {
      const { user_id, scopes } = request.body;
      const { token, expiresAt } = await createMobileToken(ctx, actingOf(request), {
        userId: userIdOf(user_id),
        scopes,
      });
      return { token, user_id, expires_at: expiresAt };
    },
  );
}
