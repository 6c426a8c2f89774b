import type { Acting, Actor } from '../store/audit/actor.ts';
import type { Tenant } from '../store/database/tenant.ts';

/** The actor of changes that a test makes directly. */
export const testActor: Actor = {
  type: 'command_line',
  id: 'test@localhost',
  address: null,
  requestId: null,
};

export function testActing({ accountId, environment }: Tenant): Acting {
  return { accountId, environment, actor: testActor };
}
