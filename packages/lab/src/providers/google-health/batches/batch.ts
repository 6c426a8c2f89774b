import type { Day } from '../../../world/people/day.ts';
import type { Visible } from '../../../provider.ts';

/** The device that recorded a point. */
export type SourceName = 'watch' | 'phone' | 'scale' | 'sensor';

export interface Point {
  start: number;
  /** The same as `start` for a sample. */
  end: number;
  source: SourceName;
  /** True if another source has counted the same, so that merging drops it. */
  isEcho?: boolean;
  /** Only for sessions. */
  id?: string;
  value: Record<string, unknown>;
}

/** Points that appear together, because a device sends them together: an hour, a sleep, a workout, a day, a weight measurement. */
export interface Batch {
  kind: string;
  key: string;
  endedAt: number;
  day: Day;
  points: Partial<Record<string, (seen: Visible) => Point[]>>;
  /** Whether the person has deleted the points of a type as of this revision. Other types are unaffected. */
  isDeleted?: (type: string, revision: number) => boolean;
  /** The id of a session, for its notifications. */
  recordId?: string;
}
