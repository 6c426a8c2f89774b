import type { Life } from '../life.ts';

/** A document as it goes over the wire. */
export interface OuraDocument {
  id: string;
  /** The local date that it counts to. */
  day: string;
  [field: string]: unknown;
}

/** What a collection keeps of one date of someone's life. */
export interface Kept {
  id: string;
  day: string;
  /** Names it to the frame; one document may be kept in several states that follow each other. */
  key: string;
  endedAt: number;
  /** 0 for the state that a document begins with. */
  state: number;
  /** Whether its revisions end in its deletion. */
  isDeleted?: (revision: number) => boolean;
  tell: (revision: number) => OuraDocument;
}

/** The documents that one date of someone's life gives rise to, in the order of time. */
export type Keep = (life: Life, date: string) => Kept[];

/** A score from 1 to 100. */
export function toScore(value: number): number {
  return Math.max(1, Math.min(100, Math.round(value)));
}
