import type { FastifyRequest } from 'fastify';
import type { Acting } from '../../store/audit/actor.ts';
import type { Environment, Tenant } from '../../store/database/tenant.ts';
import { actorOf, operatorOf } from './operators.ts';

/** Returns the account of the signed-in dashboard user and the requested environment. */
export function tenantOf(request: FastifyRequest, environment: Environment): Tenant {
  return { accountId: operatorOf(request).accountId, environment };
}

/** Like `tenantOf`, with the signed-in dashboard user as the actor. */
export function actingIn(request: FastifyRequest, environment: Environment): Acting {
  return { ...tenantOf(request, environment), actor: actorOf(request) };
}
