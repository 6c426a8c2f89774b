import { ApiError } from '@tributary/contract';
import { parseDay, todayOf, type DayNumber, type DayRange } from '@tributary/domain';
import type { ReadUser } from '../../store/users/read.ts';
import type { Form } from './choose-form.ts';

/** The requested days; null where the default applies, which depends on the user's time zone. */
export interface RequestedDays {
  from: DayNumber | null;
  to: DayNumber | null;
  names: { from: string; to: string };
  most: number;
}

interface DateQuery {
  start_date?: string;
  end_date?: string;
  from_date?: string;
  to_date?: string;
}

/** Without `from_date`, a range starts this many days before its last day. */
export const defaultSpan = 29;

/** The days that a query names. Form 1 requires both dates, Form 2 neither; `most` is the longest range in days. */
export function readDays(query: DateQuery, form: Form, most: number): RequestedDays {
  const names =
    form === 1 ? { from: 'start_date', to: 'end_date' } : ({ from: 'from_date', to: 'to_date' } as const);
  const [from, to] = [names.from, names.to].map((name) => {
    const text = query[name as keyof DateQuery];
    if (text === undefined) {
      if (form === 1) throw invalid(name, 'is required');
      return null;
    }
    return parseDay(text) ?? refuse(name, 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200');
  }) as [DayNumber | null, DayNumber | null];
  const requestedDays = { from, to, names, most };
  // Checks that need no user run before any query.
  if (to !== null) checkRange({ from: from ?? to - defaultSpan, to }, requestedDays);
  return requestedDays;
}

/** The resolved days, once the user's time zones are known. The last day defaults to today in the current one. */
export function resolveDays(
  requestedDays: RequestedDays,
  { timezones, daysAhead }: Pick<ReadUser, 'timezones' | 'daysAhead'>,
  nowMs: number,
): DayRange {
  const to = requestedDays.to ?? todayOf(nowMs, timezones, daysAhead);
  const range = { from: requestedDays.from ?? to - defaultSpan, to };
  checkRange(range, requestedDays);
  return range;
}

function checkRange({ from, to }: DayRange, { names, most }: RequestedDays): void {
  if (from > to) throw invalid(names.from, `must not be later than \`${names.to}\``);
  if (to - from + 1 > most)
    throw invalid(
      names.to,
      `must be within ${most} days of \`${names.from}\`, inclusive. Split a longer range into several requests`,
    );
}

function refuse(name: string, problem: string): never {
  throw invalid(name, problem);
}

/** The error for a query parameter whose fault its schema cannot express. */
export function invalid(name: string, problem: string): ApiError {
  return new ApiError('invalid_request', {
    message: `Query parameter \`${name}\` ${problem}.`,
    details: { fields: [{ in: 'query', name, problem }] },
  });
}
