import type { Acting, Actor } from '../store/acting.ts';
import type { Tenant } from '../store/tenant.ts';

/** Who changes something where a test does so by itself. */
export const testActor: Actor = {
  type: 'command_line',
  id: 'test@localhost',
  address: null,
  requestId: null,
};

export function testActing({ accountId, environment }: Tenant): Acting {
  return { accountId, environment, actor: testActor };
}
