import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import {
  listAccessRecords as listStored,
  type AccessFilter,
  type AccessPlace,
  type ListedAccessRecord,
} from '../../store/access-records/list.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const defaultLimit = 50;
const lowestId = '00000000-0000-0000-0000-000000000000';

export interface AccessQuery {
  userId?: string | undefined;
  credentialId?: string | undefined;
  operation?: string | undefined;
  /** Timestamps with milliseconds. */
  from?: string | undefined;
  to?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

interface Request {
  before: AccessPlace;
  limit: number;
  filter: AccessFilter;
  to: string | null;
}

/** Lists the access records of an environment, newest first. Parameters omitted in a follow-up request come from the cursor. */
export async function listAccessRecords(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  query: AccessQuery,
): Promise<{ records: ListedAccessRecord[]; nextCursor: string | null }> {
  const { before, limit, filter, to } = readRequest(ctx, tenant, query);
  const page = await listStored(ctx.db, tenant, { ...filter, before, limit: limit + 1 });
  const records = page.records.slice(0, limit);
  const next = page.records.length > limit ? records.at(-1)! : page.scannedTo;
  const nextCursor =
    next &&
    sealCursor(ctx.keyring, 'access-records', tenant, [next.at, next.id, limit, ...places(filter, to)]);
  return { records, nextCursor };
}

function readRequest(
  ctx: Pick<Context, 'keyring'>,
  tenant: Tenant,
  { cursor, limit, to = null, ...query }: Omit<AccessQuery, 'to'> & { to?: string | null | undefined },
): Request {
  const requested: AccessFilter = {
    userId: query.userId ?? null,
    credentialId: query.credentialId ?? null,
    operation: query.operation ?? null,
    from: query.from ?? null,
  };
  if (cursor === undefined) {
    // `infinity` sorts after every record.
    const before = { at: to ?? 'infinity', id: lowestId };
    return { before, limit: limit ?? defaultLimit, filter: requested, to };
  }
  const [at, id, pageLimit, ...rest] = openCursor(ctx.keyring, 'access-records', tenant, cursor) as [
    string,
    string,
    number,
    ...(string | null)[],
  ];
  const [userId = null, credentialId = null, operation = null, from = null, cursorTo = null] = rest;
  const filter: AccessFilter = { userId, credentialId, operation, from };
  const stored = places(filter, cursorTo);
  const isChanged =
    (limit ?? pageLimit) !== pageLimit ||
    places(requested, to).some((value, index) => value !== null && value !== stored[index]);
  if (isChanged) throw new ApiError('invalid_cursor');
  return { before: { at, id }, limit: pageLimit, filter, to: cursorTo };
}

function places({ userId, credentialId, operation, from }: AccessFilter, to: string | null) {
  return [userId, credentialId, operation, from, to];
}
