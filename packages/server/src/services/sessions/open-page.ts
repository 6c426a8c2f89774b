import { ApiError } from '@tributary/contract';
import type { DayNumber, DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { openCursor } from '../../credentials/cursor.ts';
import type { SessionPlace } from '../../store/session-reads.ts';
import type { Tenant } from '../../store/tenant.ts';

/** Lists of sessions that are read page by page. */
export type SessionList = 'sleep' | 'workouts';

/** A page as the client asked for it. */
export interface AskedPage {
  from: DayNumber | null;
  to: DayNumber | null;
  limit: number | undefined;
  includeSources: boolean | undefined;
  cursor: string | undefined;
}

/** A page whose place is known. */
export interface OpenPage {
  /** Null on a first page: then days may depend on where the user is. */
  range: DayRange | null;
  /** Null on a first page. */
  after: SessionPlace | null;
  limit: number;
  includeSources: boolean;
}

const defaultLimit = 50;

/** What a cursor carries: the parameters of the first page, and the last session that was read. */
export type Carried = [
  from: DayNumber,
  to: DayNumber,
  limit: number,
  sources: number,
  ...place: [DayNumber, number, string],
];

/** A cursor leads on in one list of one user and nowhere else. */
export function boundTo(list: SessionList, userId: string): string {
  return `${list}:${userId}`;
}

/** Finds out which page is asked for. What is left out of a follow-up comes from its cursor, and nothing else may be asked for. */
export function openPage(
  ctx: Context,
  tenant: Tenant,
  list: SessionList,
  userId: string,
  asked: AskedPage,
): OpenPage {
  if (asked.cursor === undefined) {
    const { limit = defaultLimit, includeSources = false } = asked;
    return { range: null, after: null, limit, includeSources };
  }
  const opened = openCursor(ctx.keyring, boundTo(list, userId), tenant, asked.cursor) as Carried;
  const [from, to, limit, sources, day, startMs, id] = opened;
  const changed =
    differs(asked.from ?? undefined, from) ||
    differs(asked.to ?? undefined, to) ||
    differs(asked.limit, limit) ||
    differs(asked.includeSources, sources === 1);
  if (changed) throw new ApiError('invalid_cursor');
  return { range: { from, to }, after: { day, startMs, id }, limit, includeSources: sources === 1 };
}

function differs<T>(asked: T | undefined, carried: T): boolean {
  return asked !== undefined && asked !== carried;
}
