import type { Life } from '../life.ts';

/** A document on the wire. */
export interface OuraDocument {
  id: string;
  /** The local date that it belongs to. */
  day: string;
  [field: string]: unknown;
}

/** A collection's document for one date of a person. */
export interface DocumentState {
  id: string;
  day: string;
  /** Identifies it to the frame. One document may have several successive states. */
  key: string;
  endedAt: number;
  /** 0 for the first state of a document. */
  state: number;
  /** Whether the document is deleted as of this revision. */
  isDeleted?: (revision: number) => boolean;
  toDocument: (revision: number) => OuraDocument;
}

/** The documents that one date produces, in chronological order. */
export type Keep = (life: Life, date: string) => DocumentState[];

/** A score from 1 to 100. */
export function toScore(value: number): number {
  return Math.max(1, Math.min(100, Math.round(value)));
}
