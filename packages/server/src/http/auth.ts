import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import {
  authenticate,
  recallApiKey,
  type AccountCaller,
  type Caller,
  type SdkCaller,
} from '../services/credentials/authenticate.ts';
import { authenticateSdk } from '../services/credentials/authenticate-sdk.ts';
import type { Acting, Actor } from '../store/acting.ts';
import { recordRead } from '../services/operators/record-read.ts';
import {
  authenticateOperatorCall,
  requireRole,
  type OperatorCaller,
} from '../services/operators/authenticate-operator.ts';
import { accessOf, type Access } from './access.ts';
import { requireOwnCall } from './own-call.ts';
import { chargeAddress, limitAddress, limitCaller, refuseGuessing } from './rate-limit.ts';
import { factsOf } from './route-facts.ts';

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
  // Hooks call back instead of returning promises: most requests wait for nothing here, and every promise costs them.
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = factsOf(request);
    if (access?.byAddress) reply.header('Cache-Control', 'no-store');
    if (!access || (access.open && !access.byAddress)) return done();
    const checked = check(ctx, access, request, reply);
    if (checked) checked.then(() => done(), done);
    else done();
  });
  // Before it is sent, and only if it is: whoever looked at a person's data is known, or did not see it.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 300 || request.caller?.kind !== 'operator') return done(null, payload);
    noteRead(ctx, request).then(() => done(null, payload), done);
  });
}

/** Runs all checks. Returns a promise only where one of them has to wait. */
function check(
  ctx: Context,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  if (access.open) return limitAddress(ctx, request.ip, 'exchange');
  refuseGuessing(ctx, request.ip);
  const recalled = access.sdk ? null : recall(ctx, request);
  if (recalled) return checkCaller(ctx, recalled, access, request, reply);
  return identifyOrCharge(ctx, access, request).then((caller) =>
    checkCaller(ctx, caller, access, request, reply),
  );
}

function checkCaller(
  ctx: Context,
  caller: Caller,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  request.caller = caller;
  const admit = (): void => {
    refuseUnpaid(caller, access, request.method);
    refuseUnpermitted(caller, access, request);
    setDefaultCaching(request, reply);
  };
  const limited = limitCaller(ctx, caller, reply);
  if (limited) return limited.then(admit);
  admit();
}

/** The caller of a request with an API key that this node looked up a moment ago; null where anything else is to be done. */
function recall(ctx: Context, request: FastifyRequest): Caller | null {
  const caller = recallApiKey(ctx, request.headers.authorization);
  if (caller) ctx.keyUse.note(caller.keyId, request.ip);
  return caller;
}

/** Writes down whose data an operator reads with this request, if it is one person's. */
export async function noteRead(ctx: Context, request: FastifyRequest): Promise<void> {
  if (request.caller?.kind !== 'operator') return;
  const { schema } = request.routeOptions;
  const person = personRead(request);
  if (person !== null) await recordRead(ctx, actingOf(request), person, schema?.operationId ?? '');
}

/** Whose data a request reads, by its path or by what it filters for; null when it is nobody's in particular. */
function personRead(request: FastifyRequest): string | null {
  const { url = '', config } = request.routeOptions;
  if (request.method !== 'GET' && config.access?.read !== true) return null;
  if (url.startsWith('/v1/users/:id')) return (request.params as { id: string }).id;
  return (request.query as { user_id?: string }).user_id ?? null;
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
  if (caller.kind === 'user_token')
    throw new Error(`${request.routeOptions.url} lets a user token change something`);
  if (caller.kind === 'operator')
    return { ...caller.tenant, actor: operatorActor(request, caller.operator.id) };
  const actor = { type: 'api_key', id: formatId('key', caller.keyId), ...originOf(request) } as const;
  return { ...caller.tenant, actor };
}

/** An operator in the dashboard, as the audit log tells it. */
export function operatorActor(request: FastifyRequest, operatorId: string): Actor {
  return { type: 'operator', id: formatId('op', operatorId), ...originOf(request) };
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

async function identifyOrCharge(ctx: Context, access: Access, request: FastifyRequest): Promise<Caller> {
  try {
    if (access.sdk) return authenticateSdk(ctx, request.headers.authorization);
    return await identify(ctx, request);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) chargeAddress(ctx, request.ip);
    throw error;
  }
}

/** Who sent this request: whoever the `Authorization` says, or, where the dashboard names an environment instead, who is signed in. */
export async function identify(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const { authorization, cookie, 'tributary-environment': environment } = request.headers;
  if (authorization !== undefined || environment === undefined) {
    const caller = await authenticate(ctx, authorization);
    if (caller.kind === 'api_key') ctx.keyUse.note(caller.keyId, request.ip);
    return caller;
  }
  requireOwnCall(request, ctx.config.http.publicUrl);
  if (environment !== 'live' && environment !== 'sandbox')
    throw new ApiError('invalid_request', {
      message: 'header Tributary-Environment must be live or sandbox.',
    });
  return authenticateOperatorCall(ctx, cookie, environment);
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
  if (caller.kind === 'api_key' || caller.kind === 'operator') {
    if (!access.apiKey) throw new ApiError('insufficient_scope');
    if (access.live && caller.tenant.environment !== 'live')
      throw new ApiError('insufficient_scope', onlyLive);
    if (caller.kind === 'operator') refuseRole(caller, access, request.method);
    return;
  }
  if (!access.ownUser) throw new ApiError('insufficient_scope');
  const { id } = request.params as { id?: string };
  if (id !== formatId('user', caller.userId)) throw new ApiError('wrong_user');
}

/** Who only looks changes nothing, and sees no measured value of a real person. */
function refuseRole({ operator, tenant }: OperatorCaller, access: Access, method: string): void {
  const isRead = method === 'GET' || access.read === true;
  if (!isRead || (access.measured && tenant.environment === 'live')) requireRole(operator, 'developer');
}

const onlyLive = {
  message: 'Sandbox keys may not perform this operation: it reaches a real person. Use a live key.',
};

function setDefaultCaching(request: FastifyRequest, reply: FastifyReply): void {
  // What an operator saw stays on no machine.
  const mayKeep = request.method === 'GET' && request.caller?.kind !== 'operator';
  reply.header('Cache-Control', mayKeep ? 'private, no-cache' : 'no-store');
  reply.header('Vary', 'Authorization');
}
