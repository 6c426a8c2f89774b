import { hostname, userInfo } from 'node:os';
import type { Acting, Actor } from '../store/audit/actor.ts';
import type { Tenant } from '../store/database/tenant.ts';

/** Who runs a command, as recorded in the audit log: `user@host`. */
export function operatorAtWork(): Actor {
  return { type: 'command_line', id: `${userName()}@${hostname()}`, address: null, requestId: null };
}

/** The same on behalf of a tenant. */
export function actingForTenant({ accountId, environment }: Tenant): Acting {
  return { accountId, environment, actor: operatorAtWork() };
}

/** In a container the user may have a number but no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
