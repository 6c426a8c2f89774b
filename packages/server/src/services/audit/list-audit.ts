import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import {
  listAuditEntries,
  type AuditFilter,
  type AuditPlaceInTime,
  type ShownAuditEntry,
} from '../../store/audit/list.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const defaultLimit = 50;
/** The start of the list, newest first: `infinity` sorts after every entry. */
const theEnd: AuditPlaceInTime = { at: 'infinity', position: 0 };

export interface AuditQuery {
  action?: string | undefined;
  targetId?: string | undefined;
  actorId?: string | undefined;
  /** Timestamps with milliseconds. */
  since?: string | undefined;
  until?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Lists the audit entries of an environment and of its account, newest first. Parameters omitted in a follow-up request come from the cursor. */
export async function listAudit(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  query: AuditQuery,
): Promise<{ entries: ShownAuditEntry[]; nextCursor: string | null }> {
  const { before, limit, filter } = readPlace(ctx, tenant, query);
  const page = await listAuditEntries(ctx.db, tenant, { ...filter, before, limit: limit + 1 });
  const entries = page.entries.slice(0, limit);
  const next = page.entries.length > limit ? entries.at(-1)! : page.scannedTo;
  const nextCursor =
    next && sealCursor(ctx.keyring, 'audit', tenant, [next.at, next.position, limit, ...filterPlace(filter)]);
  return { entries, nextCursor };
}

function readPlace(
  ctx: Pick<Context, 'keyring'>,
  tenant: Tenant,
  { cursor, limit, ...query }: AuditQuery,
): { before: AuditPlaceInTime; limit: number; filter: AuditFilter } {
  const requestedFilter: AuditFilter = {
    action: query.action ?? null,
    targetId: query.targetId ?? null,
    actorId: query.actorId ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
  };
  if (cursor === undefined) {
    const before = requestedFilter.until === null ? theEnd : { at: requestedFilter.until, position: 0 };
    return { before, limit: limit ?? defaultLimit, filter: requestedFilter };
  }
  const [at, position, pageLimit, ...rest] = openCursor(ctx.keyring, 'audit', tenant, cursor) as [
    string,
    number,
    number,
    ...(string | null)[],
  ];
  const [action = null, targetId = null, actorId = null, since = null, until = null] = rest;
  const filter: AuditFilter = { action, targetId, actorId, since, until };
  const isChanged =
    (limit ?? pageLimit) !== pageLimit ||
    filterPlace(requestedFilter).some(
      (value, index) => value !== null && value !== filterPlace(filter)[index],
    );
  if (isChanged) throw new ApiError('invalid_cursor');
  return { before: { at, position }, limit: pageLimit, filter };
}

function filterPlace({ action, targetId, actorId, since, until }: AuditFilter): (string | null)[] {
  return [action, targetId, actorId, since, until];
}
