import type { TimedDocument, Visible } from '../../provider.ts';
import type { Row } from './summary.ts';

/** Something that Garmin sends: when it is known, when it began, and the rows by their keys. */
export interface Entry extends TimedDocument {
  from: number;
  /** False for what a later entry of the same day replaces: it is not sent again when history is asked for. */
  isLast: boolean;
  rows: (seen: Visible) => Record<string, Row[]>;
}

/** Makes one of a kind, by a key of the day. */
export type NewEntry = (
  kind: string,
  key: string,
  from: number,
  endedAt: number,
  rows: Entry['rows'],
  isLast?: boolean,
) => Entry;
