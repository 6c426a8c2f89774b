import { dayOf, type DayNumber, type DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { sealCursor } from '../../credentials/cursor.ts';
import { formatId } from '../../ids.ts';
import { placeBefore, type SessionPage, type SessionPlace } from '../../store/session-reads.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { ReadUser } from '../../store/user-read.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { boundTo, type Carried, type OpenPage, type SessionList } from './open-page.ts';

/** A page with the days that it turned out to be about. */
export interface ReadPage<Row> {
  user: ReadUser;
  range: DayRange;
  sessions: Row[];
  nextCursor: string | null;
}

/** Days as far as a request names them. */
export interface NamedDays {
  from: DayNumber | null;
  to: DayNumber | null;
  /** Where the first day is not named, it is this many days before the last. */
  defaultSpan: number;
  /** When the request came: today is the day that it is somewhere then. */
  nowMs: number;
}

const hourMs = 3_600_000;

/** Reads one page in one go, whether or not the days are known before the user is. */
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
  const found = await read({ spans, after, most: page.limit + 1 });
  if (!found) throw userNotFound(formatId('user', userId));
  const range = rangeFor(found);
  const inside = found.sessions.filter(({ day }) => day >= range.from && day <= range.to);
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
  return { user: found, range, sessions, nextCursor };
}

/** The today of a sandbox user is its own, and is asked for first. */
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
 * The days to read, oldest first. Where the last day is today in a timezone that is not known yet, every day that may be today somewhere is a
 * span of its own: then as many sessions as a page has are there up to each of them, and later ones take nobody's place.
 */
function spansOf({ from, to, defaultSpan, nowMs }: NamedDays): DayRange[] {
  const firstFor = (last: DayNumber): DayNumber => from ?? last - defaultSpan;
  if (to !== null) return [{ from: firstFor(to), to }];
  const earliest = dayOf(nowMs - 12 * hourMs, 'UTC');
  const latest = dayOf(nowMs + 14 * hourMs, 'UTC');
  const later = Array.from({ length: latest - earliest }, (_, at) => earliest + 1 + at);
  return [{ from: firstFor(earliest), to: earliest }, ...later.map((day) => ({ from: day, to: day }))];
}
