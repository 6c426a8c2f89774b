import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import { authenticate, type Caller } from '../services/credentials/authenticate.ts';
import { accessOf, type Access } from './access.ts';
import { chargeAddress, limitCaller, refuseGuessing } from './rate-limit.ts';

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
    if (!access || access.open) return;
    refuseGuessing(ctx, request.ip);
    request.caller = await identify(ctx, request);
    await limitCaller(ctx, request.caller, reply);
    refuseUnpaid(request.caller, request.method);
    refuseUnpermitted(request.caller, access, request);
    setDefaultCaching(request, reply);
  });
}

/** The caller of a route that asks for a credential. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} asks for no credential`);
  return request.caller;
}

async function identify(ctx: Context, request: FastifyRequest): Promise<Caller> {
  try {
    return await authenticate(ctx, request.headers.authorization);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) chargeAddress(ctx, request.ip);
    throw error;
  }
}

function refuseUnpaid(caller: Caller, method: string): void {
  // Deleting always works: nobody's data is held hostage.
  if (caller.account.suspended && method !== 'DELETE') throw new ApiError('payment_required');
}

function refuseUnpermitted(caller: Caller, access: Access, request: FastifyRequest): void {
  if (caller.kind === 'api_key') {
    if (!access.apiKey) throw new ApiError('insufficient_scope');
    return;
  }
  if (!access.ownUser) throw new ApiError('insufficient_scope');
  const { id } = request.params as { id?: string };
  if (id !== formatId('user', caller.userId)) throw new ApiError('wrong_user');
}

function setDefaultCaching(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Cache-Control', request.method === 'GET' ? 'private, no-cache' : 'no-store');
  reply.header('Vary', 'Authorization');
}
