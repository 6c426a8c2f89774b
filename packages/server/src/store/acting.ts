import type { ActorType } from '@tributary/contract';
import type { Environment, Tenant } from './tenant.ts';

/** Who does something, and from where. */
export interface Actor {
  type: ActorType;
  /** The id of a key, a session, an invitation or a member; `user@host` at the command line; the name of a job. */
  id: string;
  address: string | null;
  requestId: string | null;
}

/** A tenant in whose name someone changes something. Every verb that changes something takes one, and records it. */
export interface Acting extends Tenant {
  actor: Actor;
}

/** The same where the change may concern the account as a whole. */
export interface ActingForAccount {
  accountId: string;
  environment: Environment | null;
  actor: Actor;
}

/** In place of an account, for what concerns the service as a whole. */
export const wholeService = '00000000-0000-0000-0000-000000000000';

/** The service itself, in the name of one of its jobs. */
export function actingByItself(tenant: Tenant, job: string): Acting {
  const { accountId, environment } = tenant;
  return { accountId, environment, actor: { type: 'service', id: job, address: null, requestId: null } };
}
