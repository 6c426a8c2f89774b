import type { Core } from '../../core.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const list = 'events';

/** Seals a position into a cursor. The feed and the live stream share the format. */
export function sealEventsCursor(ctx: Pick<Core, 'keyring'>, tenant: Tenant, position: number): string {
  return sealCursor(ctx.keyring, list, tenant, [position]);
}

/** Opens a cursor. Throws `invalid_cursor` if it does not belong to this tenant's feed. */
export function openEventsCursor(ctx: Pick<Core, 'keyring'>, tenant: Tenant, cursor: string): number {
  return openCursor(ctx.keyring, list, tenant, cursor)[0] as number;
}
