import type { FastifyRequest } from 'fastify';
import type { Acting } from '../../store/acting.ts';
import type { Environment, Tenant } from '../../store/tenant.ts';
import { actorOf, operatorOf } from './operators.ts';

/** The environment of the operator's own account that a call is about. */
export function tenantOf(request: FastifyRequest, environment: Environment): Tenant {
  return { accountId: operatorOf(request).accountId, environment };
}

/** The same, with who calls. */
export function actingIn(request: FastifyRequest, environment: Environment): Acting {
  return { ...tenantOf(request, environment), actor: actorOf(request) };
}
