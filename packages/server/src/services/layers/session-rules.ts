import type { ConsolidationSettings, DeviceFacts, ReadBatch, Timezones } from '@tributary/domain';
import type { CanonicalSession } from '../../store/layers/canonical-sessions.ts';
import type { SessionKind } from '../../store/layers/device-sessions.ts';

/** A session that is not deleted, of a remaining device. */
export interface LiveSession<Content> {
  device: DeviceFacts;
  sourceId: string;
  startMs: number;
  endMs: number;
  /** The day it belongs to, in the user's time zone. */
  day: number;
  content: Content;
}

/** Values of a day by metric number, in millionths of the unit. */
export type DayValues = Map<number, number>;

/** The differences between sleep and workouts. Everything else about sessions is shared. */
export interface SessionRules<Reading, Content> extends SessionDecisions<Content> {
  readingsOf(batch: ReadBatch): readonly Reading[];
  contentOf(reading: Reading): Content;
}

export interface SessionDecisions<Content> {
  kind: SessionKind;
  /** Sleep belongs to the day it ends on, a workout to the day it starts on. */
  dayOf(span: { startMs: number; endMs: number }, timezones: Timezones): number;
  /** The canonical sessions, without IDs, of a closed set of overlapping sessions. */
  decide(
    sessions: readonly LiveSession<Content>[],
    settings: ConsolidationSettings,
    timezones: Timezones,
  ): Omit<CanonicalSession, 'id'>[];
  /** The values that the sessions of one device contribute to a day. */
  valuesOf(sessions: readonly LiveSession<Content>[], timezones: Timezones): DayValues;
  /** Every metric that `valuesOf` can return. */
  metrics: readonly number[];
  /** Metrics that are computed from the shown sessions of a day only, and belong to no device. */
  canonicalMetrics: readonly number[];
}

/** Identifies a session by the device's own IDs, so that the order does not depend on which device was seen first. */
export function keyOfSession({
  device,
  sourceId,
}: Pick<LiveSession<unknown>, 'device' | 'sourceId'>): string {
  return `${device.provider}/${device.stableId}/${sourceId}`;
}
