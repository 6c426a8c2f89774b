import type { Day } from '../../people/day.ts';
import type { Visible } from '../../provider.ts';

/** What recorded a point. */
export type SourceName = 'watch' | 'phone' | 'scale' | 'sensor';

export interface Point {
  start: number;
  /** The same as `start` for what is said of a moment. */
  end: number;
  source: SourceName;
  /** True for what another source has counted too, so that it is dropped where sources are merged. */
  isEcho?: boolean;
  /** Of sessions alone. */
  id?: string;
  value: Record<string, unknown>;
}

/** Points that appear together, as devices send what they have recorded: an hour, a sleep, a workout, a day, a weighing. */
export interface Batch {
  kind: string;
  key: string;
  endedAt: number;
  day: Day;
  points: Partial<Record<string, (seen: Visible) => Point[]>>;
  /** Whether the person has deleted what it says of a type by then; of other types it stays. */
  isDeleted?: (type: string, revision: number) => boolean;
  /** The id of a session, for the pushes that tell of it. */
  recordId?: string;
}
