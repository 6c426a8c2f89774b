import type { Faults } from './faults.ts';
import { chanceOf } from './hash.ts';
import type { DocumentKey, Visible } from '../provider.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SLOWEST_MS = 20 * MINUTE;
/** The longest time after its end at which a document can still change. */
export const LONGEST_STORY_MS = 8 * DAY;

/** When documents appear and are revised. */
export interface Visibility {
  /** The visible state of a document at a time, or null. */
  seenAt: (moment: number, document: DocumentKey, endedAt: number) => Visible | null;
  /** All changes of a document in order: its appearance and each revision. */
  story: (document: DocumentKey, endedAt: number) => Visible[];
  /** How long after its end a document can change. */
  longestMs: () => number;
}

/** The visibility of a provider's documents. Everything is derived from the seed, so the same lab always has the same history. */
export function deriveVisibility(seed: number, provider: string, faults: Faults): Visibility {
  const story = (document: DocumentKey, endedAt: number): Visible[] => {
    const { person, kind, key } = document;
    const draw = (what: string): number => chanceOf(seed, what, provider, person, kind, key);
    const strikes = (fault: 'late' | 'revised'): boolean =>
      faults.strikeAt(endedAt, fault, provider, person, kind, key) !== null;

    const delay = strikes('late')
      ? HOUR + draw('late by') * (3 * DAY - HOUR)
      : 2 * MINUTE + draw('delay') * (SLOWEST_MS - 2 * MINUTE);
    const createdAt = Math.round(endedAt + delay);
    const revisions: Visible[] = [{ revision: 0, createdAt, updatedAt: createdAt }];
    if (!strikes('revised')) return revisions;
    const times = draw('twice') < 0.4 ? 2 : 1;
    let updatedAt = createdAt;
    for (let revision = 1; revision <= times; revision += 1) {
      updatedAt = Math.round(updatedAt + 20 * MINUTE + draw(`revised ${revision}`) * (2 * DAY - 20 * MINUTE));
      revisions.push({ revision, createdAt, updatedAt });
    }
    return revisions;
  };
  return {
    story,
    longestMs: () => (faults.wasOn('late') || faults.wasOn('revised') ? LONGEST_STORY_MS : SLOWEST_MS),
    seenAt: (moment, document, endedAt) =>
      story(document, endedAt).findLast((seen) => seen.updatedAt <= moment) ?? null,
  };
}
