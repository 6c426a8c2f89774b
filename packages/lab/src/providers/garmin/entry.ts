import type { TimedDocument, Visible } from '../../provider.ts';
import type { Row } from './summary.ts';

/** Data that Garmin sends: when it is known, when it began, and its rows by key. */
export interface Entry extends TimedDocument {
  from: number;
  /** False if a later entry of the same day replaces it. Such entries are left out of backfills. */
  isLast: boolean;
  rows: (seen: Visible) => Record<string, Row[]>;
}

/** Builds an entry of a kind, by a key within the day. */
export type NewEntry = (
  kind: string,
  key: string,
  from: number,
  endedAt: number,
  rows: Entry['rows'],
  isLast?: boolean,
) => Entry;
