import type { ActorType } from '@tributary/contract';
import type { Environment, Tenant } from '../database/tenant.ts';

/** Who acts, and from where. */
export interface Actor {
  type: ActorType;
  /** The id of a key, a session, an invitation or a member; `user@host` for the command line; the name of a job. */
  id: string;
  address: string | null;
  requestId: string | null;
}

/** A tenant and the actor who changes something in it. Every mutating operation takes one and audits it. */
export interface Acting extends Tenant {
  actor: Actor;
}

/** The same for changes that may concern the account as a whole. */
export interface ActingForAccount {
  accountId: string;
  environment: Environment | null;
  actor: Actor;
}

/** Used instead of an account id for actions that concern the whole service. */
export const wholeService = '00000000-0000-0000-0000-000000000000';

/** The service itself as actor, on behalf of one of its jobs. */
export function actingByItself(tenant: Tenant, job: string): Acting {
  const { accountId, environment } = tenant;
  return { accountId, environment, actor: { type: 'service', id: job, address: null, requestId: null } };
}
