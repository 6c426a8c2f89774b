import { ApiError } from '@tributary/contract';
import type { DayNumber, DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { openCursor } from '../../credentials/cursor.ts';
import type { SessionPlace } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';

/** Paginated lists of sessions. */
export type SessionList = 'sleep' | 'workouts';

/** A page as requested by the client. */
export interface PageRequest {
  from: DayNumber | null;
  to: DayNumber | null;
  limit: number | undefined;
  includeSources: boolean | undefined;
  cursor: string | undefined;
}

/** A page with a known position. */
export interface OpenPage {
  /** Null on the first page, because the days may depend on the user's time zone. */
  range: DayRange | null;
  /** Null on the first page. */
  after: SessionPlace | null;
  limit: number;
  includeSources: boolean;
}

const defaultLimit = 50;

/** The content of a cursor: the parameters of the first page, and the last session read. */
export type Carried = [
  from: DayNumber,
  to: DayNumber,
  limit: number,
  sources: number,
  ...place: [DayNumber, number, string],
];

/** Binds a cursor to one list of one user. */
export function boundTo(list: SessionList, userId: string): string {
  return `${list}:${userId}`;
}

/** Resolves the requested page. Parameters omitted in a follow-up request come from its cursor, and no parameter may differ from it. */
export function openPage(
  ctx: Context,
  tenant: Tenant,
  list: SessionList,
  userId: string,
  request: PageRequest,
): OpenPage {
  if (request.cursor === undefined) {
    const { limit = defaultLimit, includeSources = false } = request;
    return { range: null, after: null, limit, includeSources };
  }
  const opened = openCursor(ctx.keyring, boundTo(list, userId), tenant, request.cursor) as Carried;
  const [from, to, limit, sources, day, startMs, id] = opened;
  const changed =
    differs(request.from ?? undefined, from) ||
    differs(request.to ?? undefined, to) ||
    differs(request.limit, limit) ||
    differs(request.includeSources, sources === 1);
  if (changed) throw new ApiError('invalid_cursor');
  return { range: { from, to }, after: { day, startMs, id }, limit, includeSources: sources === 1 };
}

function differs<T>(requestedValue: T | undefined, carried: T): boolean {
  return requestedValue !== undefined && requestedValue !== carried;
}
