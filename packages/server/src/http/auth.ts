import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import {
  authenticate,
  type AccountCaller,
  type Caller,
  type SdkCaller,
} from '../services/credentials/authenticate.ts';
import { authenticateSdk } from '../services/credentials/authenticate-sdk.ts';
import type { Acting } from '../store/acting.ts';
import { accessOf, type Access } from './access.ts';
import { chargeAddress, limitAddress, limitCaller, refuseGuessing } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for a credential. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** The order of checks, for every route: authentication (401), rate limit (429), account state (402), permission (403). */
export function installAuth(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('caller', null);
  app.addHook('onRoute', (route) => {
    const operationId = route.schema?.operationId;
    if (operationId) route.config = { ...route.config, access: accessOf(operationId) };
  });
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access;
    if (access?.byAddress) {
      await limitAddress(ctx, request.ip, 'exchange');
      reply.header('Cache-Control', 'no-store');
    }
    if (!access || access.open) return;
    refuseGuessing(ctx, request.ip);
    request.caller = await identify(ctx, access, request);
    await limitCaller(ctx, request.caller, reply);
    refuseUnpaid(request.caller, access, request.method);
    refuseUnpermitted(request.caller, access, request);
    setDefaultCaching(request, reply);
  });
}

/** The caller of a route that asks for an API key or a user token. */
export function callerOf(request: FastifyRequest): AccountCaller {
  if (!request.caller || request.caller.kind === 'sdk')
    throw new Error(`${request.routeOptions.url} asks for no API key and no user token`);
  return request.caller;
}

/** In whose name a route changes something that asks for an API key. */
export function actingOf(request: FastifyRequest): Acting {
  const caller = callerOf(request);
  if (caller.kind !== 'api_key')
    throw new Error(`${request.routeOptions.url} lets a user token change something`);
  const actor = { type: 'api_key', id: formatId('key', caller.keyId), ...originOf(request) } as const;
  return { ...caller.tenant, actor };
}

/** In whose name a route changes something that asks for an SDK session. */
export function sdkActingOf(request: FastifyRequest): Acting {
  const { tenant, sessionId } = sdkCallerOf(request);
  return { ...tenant, actor: { type: 'sdk_session', id: sessionId, ...originOf(request) } };
}

/** From where a request comes, as the audit log tells it. */
export function originOf(request: FastifyRequest): { address: string; requestId: string } {
  return { address: request.ip, requestId: request.id };
}

/** The caller of a route that asks for the access token of an SDK session. */
export function sdkCallerOf(request: FastifyRequest): SdkCaller {
  if (request.caller?.kind !== 'sdk') throw new Error(`${request.routeOptions.url} asks for no SDK session`);
  return request.caller;
}

async function identify(ctx: Context, access: Access, request: FastifyRequest): Promise<Caller> {
  try {
    const { authorization } = request.headers;
    return access.sdk ? authenticateSdk(ctx, authorization) : await authenticate(ctx, authorization);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) chargeAddress(ctx, request.ip);
    throw error;
  }
}

function refuseUnpaid(caller: Caller, access: Access, method: string): void {
  // Deleting always works: nobody's data is held hostage.
  if (caller.kind === 'sdk' || access.evenSuspended || method === 'DELETE') return;
  if (caller.account.suspended) throw new ApiError('payment_required');
}

function refuseUnpermitted(caller: Caller, access: Access, request: FastifyRequest): void {
  if (caller.kind === 'sdk') {
    if (!access.sdk) throw new ApiError('insufficient_scope');
    return;
  }
  if (caller.kind === 'api_key') {
    if (!access.apiKey) throw new ApiError('insufficient_scope');
    if (access.live && caller.tenant.environment !== 'live')
      throw new ApiError('insufficient_scope', onlyLive);
    return;
  }
  if (!access.ownUser) throw new ApiError('insufficient_scope');
  const { id } = request.params as { id?: string };
  if (id !== formatId('user', caller.userId)) throw new ApiError('wrong_user');
}

const onlyLive = {
  message: 'Sandbox keys may not perform this operation: it reaches a real person. Use a live key.',
};

function setDefaultCaching(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Cache-Control', request.method === 'GET' ? 'private, no-cache' : 'no-store');
  reply.header('Vary', 'Authorization');
}
