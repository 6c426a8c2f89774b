import { ApiError, type OperatorRole } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import {
  authenticateOperator,
  requireEnrolled,
  requireRole,
  type SignedInOperator,
} from '../../services/operators/authenticate-operator.ts';
import type { App } from '../frame/app-type.ts';
import { operatorActor, sessionPresentedBy } from '../frame/auth.ts';
import { chargeRejected, limitAddress, limitOperator } from '../frame/rate-limit.ts';
import { limitAnonymousBody } from '../frame/request-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every dashboard request that requires a role. */
    operator: SignedInOperator | null;
  }
  interface FastifyContextConfig {
    /** The minimum role for this dashboard route. Routes with `anyone` need no session. */
    role?: OperatorRole | 'anyone';
    /** Whether dashboard users may use this route before they have the authenticator that their account requires. */
    beforeEnrollment?: boolean;
  }
}

/** Checks every dashboard request: it needs a session (401), must be within the rate limit (429) and needs the route's role (403). */
export function installOperators(scope: App, ctx: Context): void {
  scope.decorateRequest('operator', null);
  scope.addHook('onRoute', (route) => {
    const role = route.config?.role;
    if (role === undefined) throw new Error(`${route.url} does not declare the role it requires`);
    if (role === 'anyone') limitAnonymousBody(route);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const role = request.routeOptions.config.role!;
    if (role === 'anyone') {
      await limitAddress(ctx, request.ip, 'sign-in');
      return;
    }
    try {
      request.operator = await authenticateOperator(ctx, sessionPresentedBy(request));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) chargeRejected(ctx, request.ip, 'invalid');
      throw error;
    }
    await limitOperator(ctx, request.operator.id, reply);
    if (!request.routeOptions.config.beforeEnrollment) requireEnrolled(request.operator);
    requireRole(request.operator, role);
  });
}

/** Returns the signed-in dashboard user of a request that requires a role. */
export function operatorOf(request: FastifyRequest): SignedInOperator {
  if (!request.operator) throw new Error(`${request.routeOptions.url} requires no role`);
  return request.operator;
}

/** Returns the signed-in dashboard user as an audit actor. */
export function actorOf(request: FastifyRequest): Actor {
  return operatorActor(request, operatorOf(request).id);
}
