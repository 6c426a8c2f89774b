import type { UserDetailWire } from '@tributary/contract';
import { createContext, use } from 'react';
import type { DaySpan, Whose } from '../../api/health.ts';
import type { WhySubject } from '../why/why-subject.ts';

/** Whom a page of one user is about, for all of its parts. */
export interface Person {
  user: UserDetailWire;
  whose: Whose;
  /** UTC where none was given, as days are cut then. */
  timeZone: string;
  /** The calendar day that the person lives in. */
  today: string;
  explain: (subject: WhySubject) => void;
}

export const PersonContext = createContext<Person | null>(null);

/** What is explained beside the page; apart, so that opening it draws nothing else anew. */
export const WhyContext = createContext<WhySubject | null>(null);

export function useWhy(): WhySubject | null {
  return use(WhyContext);
}

export function usePerson(): Person {
  return use(PersonContext)!;
}

/** The day of somebody in the sandbox is their own: it can be moved forward. */
export function todayOf({ sandbox, timezone }: UserDetailWire, now: Date = new Date()): string {
  return sandbox?.today ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone ?? 'UTC' }).format(now);
}

const dayMs = 86_400_000;

/** Counted in UTC, where every day has the same length. */
export function dayBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10);
}

/** So many days up to one, which is the last. */
export function daysUpTo(date: string, count: number): DaySpan {
  return { from: dayBefore(date, count - 1), to: date };
}
