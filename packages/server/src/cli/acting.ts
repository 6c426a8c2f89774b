import { hostname, userInfo } from 'node:os';
import type { Acting, Actor } from '../store/acting.ts';
import type { Tenant } from '../store/tenant.ts';

/** Who runs a command, as the audit log tells it: `user@host`. */
export function operatorAtWork(): Actor {
  return { type: 'command_line', id: `${userName()}@${hostname()}`, address: null, requestId: null };
}

/** The same in the name of a tenant. */
export function actingForTenant({ accountId, environment }: Tenant): Acting {
  return { accountId, environment, actor: operatorAtWork() };
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
