import { dayOf, hourMs, type DayNumber, type DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { sealCursor } from '../../credentials/cursor.ts';
import { formatId } from '../../ids.ts';
import { placeBefore, type SessionPage, type SessionPlace } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { boundTo, type Carried, type OpenPage, type SessionList } from './open-page.ts';

/** A page with its resolved days. */
export interface ReadPage<Row> {
  user: ReadUser;
  range: DayRange;
  sessions: Row[];
  nextCursor: string | null;
}

/** The days that a request specifies. */
export interface NamedDays {
  from: DayNumber | null;
  to: DayNumber | null;
  /** If `from` is missing, the range starts this many days before its end. */
  defaultSpan: number;
  /** The time of the request, which determines today. */
  nowMs: number;
}

/** Reads one page with one query where possible, even if the days depend on the user. */
export async function readPage<Row extends SessionPlace>(
  ctx: Context,
  tenant: Tenant,
  input: {
    list: SessionList;
    userId: string;
    page: OpenPage;
    days: NamedDays;
    rangeFor: (user: ReadUser) => DayRange;
    read: (page: SessionPage) => Promise<(ReadUser & { sessions: Row[] }) | null>;
  },
): Promise<ReadPage<Row>> {
  const { list, userId, page, days, rangeFor, read } = input;
  const spans = page.range ? [page.range] : await findSpans(ctx, tenant, userId, days, rangeFor);
  const after = page.after ?? placeBefore(spans.at(-1)!);
  const result = await read({ spans, after, most: page.limit + 1 });
  if (!result) throw userNotFound(formatId('user', userId));
  const range = rangeFor(result);
  const inside = result.sessions.filter(({ day }) => day >= range.from && day <= range.to);
  const sessions = inside.slice(0, page.limit);
  const last = sessions.at(-1);
  const carry = (place: SessionPlace): Carried => [
    range.from,
    range.to,
    page.limit,
    page.includeSources ? 1 : 0,
    place.day,
    place.startMs,
    place.id,
  ];
  const nextCursor =
    last && inside.length > page.limit
      ? sealCursor(ctx.keyring, boundTo(list, userId), tenant, carry(last))
      : null;
  return { user: result, range, sessions, nextCursor };
}

/** A sandbox user has its own today, which is looked up first. */
async function findSpans(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  days: NamedDays,
  rangeFor: (user: ReadUser) => DayRange,
): Promise<DayRange[]> {
  if (tenant.environment === 'live' || days.to !== null) return spansOf(days);
  const user = await ctx.versions.find(tenant, userId);
  if (!user) throw userNotFound(formatId('user', userId));
  return [rangeFor(user)];
}

/**
 * The days to read, oldest first. If the last day is today in an unknown time zone, every day that may be today somewhere is a separate span. Each
 * span then contains enough sessions for a page, and sessions of later days do not displace earlier ones.
 */
function spansOf({ from, to, defaultSpan, nowMs }: NamedDays): DayRange[] {
  const firstFor = (last: DayNumber): DayNumber => from ?? last - defaultSpan;
  if (to !== null) return [{ from: firstFor(to), to }];
  const earliest = dayOf(nowMs - 12 * hourMs, 'UTC');
  const latest = dayOf(nowMs + 14 * hourMs, 'UTC');
  const later = Array.from({ length: latest - earliest }, (_, at) => earliest + 1 + at);
  return [{ from: firstFor(earliest), to: earliest }, ...later.map((day) => ({ from: day, to: day }))];
}
