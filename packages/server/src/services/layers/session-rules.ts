import type { ConsolidationSettings, DeviceFacts, ReadBatch } from '@tributary/domain';
import type { CanonicalSession } from '../../store/canonical-sessions.ts';
import type { SessionKind } from '../../store/device-sessions.ts';

/** A session that was not deleted, of a device that is still there. */
export interface LiveSession<Content> {
  device: DeviceFacts;
  sourceId: string;
  startMs: number;
  endMs: number;
  /** The day that it counts for, in the user's timezone. */
  day: number;
  content: Content;
}

/** Values of a day by number of the metric, in millionths of its unit. */
export type DayValues = Map<number, number>;

/** What is different between sleep and workouts; all else about sessions is the same. */
export interface SessionRules<Reading, Content> extends SessionDecisions<Content> {
  readingsOf(batch: ReadBatch): readonly Reading[];
  contentOf(reading: Reading): Content;
}

export interface SessionDecisions<Content> {
  kind: SessionKind;
  /** Sleep belongs to the day it ends on, a workout to the day it starts on. */
  dayOf(span: { startMs: number; endMs: number }, timezone: string): number;
  /** The answers for sessions that overlap with no other than these; without their ids. */
  decide(
    sessions: readonly LiveSession<Content>[],
    settings: ConsolidationSettings,
  ): Omit<CanonicalSession, 'id'>[];
  /** What the sessions of one device give to one day of it. */
  valuesOf(sessions: readonly LiveSession<Content>[]): DayValues;
  /** Every metric that `valuesOf` can give. */
  metrics: readonly number[];
  /** Answers that follow from the decided sessions of one day. */
  answersOf(decided: readonly Omit<CanonicalSession, 'id'>[], day: number, timezone: string): DayValues;
  /** Every metric that `answersOf` can give. */
  answered: readonly number[];
}

/** Names a session by what its device calls itself, so that order never depends on which device was heard of first. */
export function keyOfSession({
  device,
  sourceId,
}: Pick<LiveSession<unknown>, 'device' | 'sourceId'>): string {
  return `${device.provider}/${device.stableId}/${sourceId}`;
}
