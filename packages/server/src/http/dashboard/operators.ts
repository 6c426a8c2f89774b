import { ApiError, type OperatorRole } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/acting.ts';
import {
  authenticateOperator,
  requireRole,
  type SignedInOperator,
} from '../../services/operators/authenticate-operator.ts';
import type { App } from '../app.ts';
import { operatorActor } from '../auth.ts';
import { chargeAddress, limitAddress, limitOperator, refuseGuessing } from '../rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every call of the dashboard that asks for a role. */
    operator: SignedInOperator | null;
  }
  interface FastifyContextConfig {
    /** The least role that may make this call of the dashboard; `anyone` is not asked who they are. */
    role?: OperatorRole | 'anyone';
  }
}

/** Who may make a call, for every call of the dashboard: signed in (401), not too often (429), with the role it asks for (403). */
export function installOperators(scope: App, ctx: Context): void {
  scope.decorateRequest('operator', null);
  scope.addHook('onRoute', ({ config, url }) => {
    if (config?.role === undefined) throw new Error(`${url} does not say which role it asks for`);
  });
  scope.addHook('onRequest', async (request, reply) => {
    const role = request.routeOptions.config.role!;
    if (role === 'anyone') {
      await limitAddress(ctx, request.ip, 'sign-in');
      return;
    }
    refuseGuessing(ctx, request.ip);
    try {
      request.operator = await authenticateOperator(ctx, request.headers.cookie);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) chargeAddress(ctx, request.ip);
      throw error;
    }
    await limitOperator(ctx, request.operator.id, reply);
    if (request.operator.setCookie.length > 0) reply.header('Set-Cookie', request.operator.setCookie);
    requireRole(request.operator, role);
  });
}

/** Who is signed in, on a call that asks for a role. */
export function operatorOf(request: FastifyRequest): SignedInOperator {
  if (!request.operator) throw new Error(`${request.routeOptions.url} asks for no role`);
  return request.operator;
}

/** The same, as the audit log tells it. */
export function actorOf(request: FastifyRequest): Actor {
  return operatorActor(request, operatorOf(request).id);
}
