import type { CandidateReason, Exclusion } from '@tributary/contract';
import type { Method } from '../catalog/metric.ts';
import type { Candidate } from '../consolidate/consolidate-day.ts';

/** A reported value in millionths of the unit, with the label of its device. */
export interface DayCandidate extends Candidate {
  readonly label: string;
  /** Whether the value comes from sessions that are not shown for the day. */
  readonly isOfOtherSessions: boolean;
  /** Whether it is part of a measurement that other devices have in full. */
  readonly isIncomplete: boolean;
  /** The setting that excludes its provider. Null if none does. */
  readonly disabledBy: Exclusion | null;
}

/** The outcome for one device's value. */
export interface Verdict {
  readonly outcome: 'won' | 'contributed' | 'lost';
  readonly reason: CandidateReason;
  readonly because: string;
  /** From 1. Null for disabled devices. */
  readonly position: number | null;
}

/** How a day's value was chosen. */
export interface DayDecision {
  readonly applied: Method;
  /** Contributing devices, highest-ranked first. */
  readonly contributors: readonly number[];
  /** What decided before the method. Null if only the method did. */
  readonly basis: 'sessions' | 'measurement' | null;
  /** By device number. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

export type Reasoned = Pick<Verdict, 'outcome' | 'reason' | 'because'>;
export type RankedCandidate = DayCandidate & { readonly rank: number };
