import type { UserDetailWire } from '@tributary/contract';
import { createContext, use } from 'react';
import type { DaySpan, Whose } from '../../api/health.ts';
import type { WhySubject } from '../why/why-subject.ts';

/** The user that a user page and all its parts are about. */
export interface Person {
  user: UserDetailWire;
  whose: Whose;
  /** UTC if the user has none, as the service does. */
  timeZone: string;
  /** The current date of the user. */
  today: string;
  explain: (subject: WhySubject) => void;
}

export const PersonContext = createContext<Person | null>(null);

/** The explained value. A separate context, so that opening an explanation renders nothing else again. */
export const WhyContext = createContext<WhySubject | null>(null);

export function useWhy(): WhySubject | null {
  return use(WhyContext);
}

export function usePerson(): Person {
  return use(PersonContext)!;
}

/** The current date of the user. Sandbox users have their own, which can be advanced. */
export function todayOf({ sandbox, timezone }: UserDetailWire, now: Date = new Date()): string {
  return sandbox?.today ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone ?? 'UTC' }).format(now);
}

const dayMs = 86_400_000;

/** Counts in UTC, where every day has the same length. */
export function dayBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10);
}

/** The given number of days, ending with this one. */
export function daysUpTo(date: string, count: number): DaySpan {
  return { from: dayBefore(date, count - 1), to: date };
}
