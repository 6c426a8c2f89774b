import { operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { parseUuid } from '../../../ids.ts';
import { createSdkSession } from '../../../services/sdk-sessions/create-sdk-session.ts';
import { endSdkSession } from '../../../services/sdk-sessions/end-sdk-session.ts';
import { exchangeClientToken } from '../../../services/sdk-sessions/exchange-client-token.ts';
import { listSdkSessions } from '../../../services/sdk-sessions/list-sdk-sessions.ts';
import { refreshSdkCredentials } from '../../../services/sdk-sessions/refresh-sdk-credentials.ts';
import { revokeSdkSession } from '../../../services/sdk-sessions/revoke-sdk-session.ts';
import { sessionNotFound } from '../../../services/sdk-sessions/session-not-found.ts';
import type { App } from '../../frame/app-type.ts';
import { actingOf, callerOf, originOf, sdkActingOf, sdkCallerOf } from '../../frame/auth.ts';
import { userIdOf } from '../../parameters/user-id.ts';
import { toSdkBootstrapWire, toSdkCredentialsWire, toSdkSessionWire } from '../../wire/wire.ts';

export function registerSdkSessionRoutes(app: App, ctx: Context): void {
  app.post('/v1/users/:id/sdk-sessions', { schema: operations.createSdkSession }, async (request, reply) => {
    const { account } = callerOf(request);
    const { platform, installation_id, app_version, device_model, scopes } = request.body;
    const { created, bootstrap } = await createSdkSession(ctx, actingOf(request), {
      userId: userIdOf(request.params.id),
      idempotencyKey: request.headers['idempotency-key'],
      platform: platform ?? null,
      installationId: installation_id ?? null,
      appVersion: app_version ?? null,
      deviceModel: device_model ?? null,
      scopes: scopes ?? null,
      syncIntervalSeconds: account.syncIntervalSeconds,
    });
    return reply.code(created ? 201 : 200).send(toSdkBootstrapWire(bootstrap));
  });

  app.get('/v1/users/:id/sdk-sessions', { schema: operations.listSdkSessions }, async (request) => {
    const sessions = await listSdkSessions(ctx, callerOf(request).tenant, userIdOf(request.params.id));
    return { data: sessions.map(toSdkSessionWire) };
  });

  app.delete(
    '/v1/users/:id/sdk-sessions/:session_id',
    { schema: operations.deleteSdkSession },
    async (request, reply) => {
      const { id, session_id } = request.params;
      const userId = userIdOf(id);
      const sessionId = parseUuid(session_id);
      if (!sessionId) throw sessionNotFound(session_id);
      await revokeSdkSession(ctx, actingOf(request), { id: sessionId, userId });
      return reply.code(204).send();
    },
  );

  app.post('/v1/sdk/sessions/exchange', { schema: operations.exchangeClientToken }, async (request) =>
    toSdkCredentialsWire(await exchangeClientToken(ctx, originOf(request), request.body.client_token)),
  );

  app.post('/v1/sdk/sessions/refresh', { schema: operations.refreshSdkCredentials }, async (request) => {
    const { refresh_token, request_id } = request.body;
    const input = { refreshToken: refresh_token, requestId: request_id ?? null };
    return toSdkCredentialsWire(await refreshSdkCredentials(ctx, originOf(request), input));
  });

  app.delete(
    '/v1/sdk/sessions/current',
    { schema: operations.deleteCurrentSdkSession },
    async (request, reply) => {
      const { sessionId: id, userId } = sdkCallerOf(request);
      await endSdkSession(ctx, sdkActingOf(request), { id, userId });
      return reply.code(204).send();
    },
  );
}
