import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankForSession } from '../devices/rank.ts';
import { minuteMs } from '../durations.ts';
import {
  assignMerged,
  cluster,
  compareKeys,
  compareStarts,
  overlapMs,
  type ShownSession,
  type KeyedSession,
} from './cluster.ts';

export interface SleepSession extends KeyedSession {
  readonly device: DeviceFacts;
  readonly asleepMinutes: number | null;
  readonly inBedMinutes: number | null;
  /** Whether the user's settings for sleep stages include the device. */
  readonly enabled: boolean;
}

export const shortestMainMinutes = 120;

/**
 * Of sessions that overlap in time, keeps those of the highest-ranked device, sorted by start. If that device reports two that overlap,
 * keeps the longer one, then the one with the smaller key.
 */
export function clusterSleep<S extends SleepSession>(sessions: readonly S[]): ShownSession<S>[] {
  const enabled = sessions.filter((session) => session.enabled);
  return cluster(enabled, () => true)
    .flatMap(keepBest)
    .sort((a, b) => compareStarts(a.session, b.session));
}

/**
 * The main sleep among the sessions that end on one day: the longest with at least 120 minutes. Null if there is none. Ties go to the
 * earlier start, then to the smaller key.
 */
export function mainOf<S extends SleepSession>(sessions: readonly S[]): S | null {
  const [longest] = sessions.toSorted((a, b) => lengthOf(b) - lengthOf(a) || compareStarts(a, b));
  return longest !== undefined && lengthOf(longest) >= shortestMainMinutes ? longest : null;
}

/** The length of a sleep in minutes: time asleep if known, else time in bed, else from start to end. */
export function lengthOf({ asleepMinutes, inBedMinutes, startMs, endMs }: SleepSession): number {
  return asleepMinutes ?? inBedMinutes ?? (endMs - startMs) / minuteMs;
}

function keepBest<S extends SleepSession>(members: readonly S[]): ShownSession<S>[] {
  const ranked = members.map(({ device }) => ({ device, rank: rankForSession('sleep', device) }));
  const winner = ranked.sort(compareDevices)[0]!.device.deviceNo;
  const shownSessions: S[] = [];
  const longestFirst = members.toSorted((a, b) => lengthOf(b) - lengthOf(a) || compareKeys(a, b));
  for (const session of longestFirst) {
    const isFree = shownSessions.every((other) => overlapMs(session, other) === 0);
    if (session.device.deviceNo === winner && isFree) shownSessions.push(session);
  }
  const others = members.filter((session) => !shownSessions.includes(session));
  return assignMerged(shownSessions, others);
}
