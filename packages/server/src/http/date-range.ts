import { ApiError } from '@tributary/contract';
import { dayOf, parseDay, type DayNumber, type DayRange } from '@tributary/domain';
import type { ReadUser } from '../store/user-read.ts';
import type { Form } from './form.ts';

/** What a request says about days; null where it leaves the choice to us, which takes the user's timezone. */
export interface AskedDays {
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

/** Without `from_date`, a range starts this many days before its last. */
export const defaultSpan = 29;

/** The days that a query names. Form 1 asks for both dates, Form 2 for none; `most` is the longest range in days. */
export function readDays(query: DateQuery, form: Form, most: number): AskedDays {
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
  const asked = { from, to, names, most };
  // What is known already is judged before anything is looked up.
  if (to !== null) checkRange({ from: from ?? to - defaultSpan, to }, asked);
  return asked;
}

/** The days meant, once it is known when and where the user is: the last day is today there, unless the request says otherwise. */
export function resolveDays(
  asked: AskedDays,
  { timezone, daysAhead }: Pick<ReadUser, 'timezone' | 'daysAhead'>,
  nowMs: number,
): DayRange {
  const to = asked.to ?? dayOf(nowMs, timezone) + daysAhead;
  const range = { from: asked.from ?? to - defaultSpan, to };
  checkRange(range, asked);
  return range;
}

function checkRange({ from, to }: DayRange, { names, most }: AskedDays): void {
  if (from > to) throw invalid(names.from, `must not be later than ${names.to}`);
  if (to - from + 1 > most)
    throw invalid(
      names.to,
      `must be within ${most} days of ${names.from}, both included; ask for shorter ranges one after the other`,
    );
}

function refuse(name: string, problem: string): never {
  throw invalid(name, problem);
}

/** The error for a query parameter whose fault its schema cannot tell. */
export function invalid(name: string, problem: string): ApiError {
  return new ApiError('invalid_request', {
    message: `query parameter ${name} ${problem}.`,
    details: { fields: [{ in: 'query', name, problem }] },
  });
}
