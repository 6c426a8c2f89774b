import { ApiError } from '@tributary/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import {
  authenticate,
  isPossibleGuess,
  recallApiKey,
  type AccountCaller,
  type Caller,
  type SdkCaller,
} from '../../services/credentials/authenticate.ts';
import { authenticateSdk } from '../../services/credentials/authenticate-sdk.ts';
import type { Acting, Actor } from '../../store/audit/actor.ts';
import {
  authenticateOperatorCall,
  requireMeasured,
  requireRole,
  type OperatorCaller,
  type PresentedSession,
} from '../../services/operators/authenticate-operator.ts';
import { accessOf, type Access } from './access.ts';
import { requireSameOrigin } from './same-origin.ts';
import { chargeRejected, limitAddress, limitCaller, refuseRejected } from './rate-limit.ts';
import { limitAnonymousBody } from './request-limits.ts';
import { metadataOf } from './route-metadata.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that requires a credential. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** The order of checks on every route: authentication (401), rate limit (429), account state (402), permission (403). */
export function installAuth(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('caller', null);
  app.addHook('onRoute', (route) => {
    const operationId = route.schema?.operationId;
    if (!operationId) return;
    const access = accessOf(operationId);
    route.config = { ...route.config, access };
    if (access.open) limitAnonymousBody(route);
  });
  // Hooks use callbacks instead of promises: most requests do not wait here, and every promise has a cost.
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = metadataOf(request);
    if (!access || access.open === 'unlimited') return done();
    if (access.open === 'limited') reply.header('Cache-Control', 'no-store');
    const checked = check(ctx, access, request, reply);
    if (checked) checked.then(() => done(), done);
    else done();
  });
}

/** Runs all checks. Returns a promise only when one of them has to wait. */
function check(
  ctx: Context,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  if (access.open) return limitAddress(ctx, request.ip, 'exchange');
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
    refuseUnpaid(caller, access);
    refuseUnpermitted(caller, access, request);
    setDefaultCaching(request, reply);
  };
  const limited = limitCaller(ctx, caller, reply);
  if (limited) return limited.then(admit);
  admit();
}

/** The caller of a request whose API key this node has cached; null when another path is needed. */
function recall(ctx: Context, request: FastifyRequest): Caller | null {
  const caller = recallApiKey(ctx, request.headers.authorization);
  if (caller) ctx.keyUse.note(caller.keyId, request.ip);
  return caller;
}

/** The caller of a route that requires an API key or a user token. */
export function callerOf(request: FastifyRequest): AccountCaller {
  if (!request.caller || request.caller.kind === 'sdk')
    throw new Error(`${request.routeOptions.url} accepts neither an API key nor a user token`);
  return request.caller;
}

/** The actor for changes on a route that requires an API key. */
export function actingOf(request: FastifyRequest): Acting {
  const caller = callerOf(request);
  if (caller.kind === 'user_token')
    throw new Error(`${request.routeOptions.url} lets a user token make changes`);
  if (caller.kind === 'operator')
    return { ...caller.tenant, actor: operatorActor(request, caller.operator.id) };
  const actor = { type: 'api_key', id: formatId('key', caller.keyId), ...originOf(request) } as const;
  return { ...caller.tenant, actor };
}

/** A dashboard user, as recorded in the audit log. */
export function operatorActor(request: FastifyRequest, operatorId: string): Actor {
  return { type: 'operator', id: formatId('op', operatorId), ...originOf(request) };
}

/** The actor for changes on a route that requires an SDK session. */
export function sdkActingOf(request: FastifyRequest): Acting {
  const { tenant, sessionId } = sdkCallerOf(request);
  return { ...tenant, actor: { type: 'sdk_session', id: sessionId, ...originOf(request) } };
}

/** The origin of a request, as recorded in the audit log. */
export function originOf(request: FastifyRequest): { address: string; requestId: string } {
  return { address: request.ip, requestId: request.id };
}

/** The caller of a route that requires the access token of an SDK session. */
export function sdkCallerOf(request: FastifyRequest): SdkCaller {
  if (request.caller?.kind !== 'sdk')
    throw new Error(`${request.routeOptions.url} does not accept an SDK session`);
  return request.caller;
}

/** Rejected credentials draw from limits of their address that valid ones do not share. */
async function identifyOrCharge(ctx: Context, access: Access, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers;
  const kind = !access.sdk && isPossibleGuess(ctx, authorization) ? 'guess' : 'invalid';
  if (kind === 'guess') refuseRejected(ctx, request.ip, kind);
  try {
    if (access.sdk) return authenticateSdk(ctx, authorization);
    return await identify(ctx, request);
  } catch (error) {
    if (isRejection(error)) chargeRejected(ctx, request.ip, kind);
    throw error;
  }
}

/** Whether a credential was rejected. An expired one is genuine, and phones renew it right after the response. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'token_expired';
}

/** Identifies the sender of a request: from `Authorization` or, when the dashboard names an environment, from its session. */
export async function identify(
  ctx: Context,
  request: FastifyRequest,
  session = sessionPresentedBy(request),
): Promise<Caller> {
  const { authorization, 'tributary-environment': environment } = request.headers;
  if (authorization !== undefined || environment === undefined) {
    const caller = await authenticate(ctx, authorization);
    if (caller.kind === 'api_key') ctx.keyUse.note(caller.keyId, request.ip);
    return caller;
  }
  requireSameOrigin(request, ctx.config.http.publicUrl);
  if (environment !== 'live' && environment !== 'sandbox')
    throw new ApiError('invalid_request', {
      message: 'Header `Tributary-Environment` must be `live` or `sandbox`.',
    });
  return authenticateOperatorCall(ctx, session, environment);
}

/** The dashboard session of a request. Pages report in `Tributary-Inactive` for how many seconds no one has used them. */
export function sessionPresentedBy({ headers }: FastifyRequest): PresentedSession {
  const { cookie, 'tributary-inactive': inactive } = headers;
  const isCount = typeof inactive === 'string' && /^\d{1,9}$/.test(inactive);
  return { cookie, inactiveSeconds: isCount ? Number(inactive) : 0 };
}

function refuseUnpaid(caller: Caller, access: Access): void {
  if (caller.kind === 'sdk' || access.evenSuspended) return;
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

/** The read-only role changes nothing and sees no measured values of real users. */
function refuseRole({ operator, tenant }: OperatorCaller, access: Access, method: string): void {
  const isRead = method === 'GET' || access.read === true;
  if (!isRead) requireRole(operator, 'developer');
  if (access.measured) requireMeasured(operator, tenant.environment);
}

const onlyLive = {
  message: 'Sandbox keys do not allow this operation because it reaches a real person. Use a live key.',
};

function setDefaultCaching(request: FastifyRequest, reply: FastifyReply): void {
  // Data that an operator viewed must not stay in a browser cache.
  const mayKeep = request.method === 'GET' && request.caller?.kind !== 'operator';
  reply.header('Cache-Control', mayKeep ? 'private, no-cache' : 'no-store');
  reply.header('Vary', 'Authorization');
}
