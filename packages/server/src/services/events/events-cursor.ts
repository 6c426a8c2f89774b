import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import type { Tenant } from '../../store/tenant.ts';

const list = 'events';

/** A place in the feed as clients carry it: of the feed and of the stream alike. */
export function sealEventsCursor(ctx: Pick<Context, 'keyring'>, tenant: Tenant, position: number): string {
  return sealCursor(ctx.keyring, list, tenant, [position]);
}

/** The place behind a cursor; throws `invalid_cursor` for one that is not of this tenant's feed. */
export function openEventsCursor(ctx: Pick<Context, 'keyring'>, tenant: Tenant, cursor: string): number {
  return openCursor(ctx.keyring, list, tenant, cursor)[0] as number;
}
