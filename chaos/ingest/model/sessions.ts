import type { LocalDays } from '@tributary/rig';
import type { Session } from './normalized.ts';

/** A session that the API returns. */
export interface CanonicalSession extends Session {
  date: string;
  isMain: boolean;
  /** `device id` of the sessions merged into it. */
  mergedFrom: string[];
}

/**
 * Of overlapping sessions, keeps the watch's, unless it is a sleep session and covers less than 60 % of the time of both. The uploads are
 * generated so that sessions of one device never overlap, and sessions of both devices overlap only if they describe the same one.
 */
export function resolveSessions(
  sessions: Map<string, Session | null>,
  days: LocalDays,
  dayFrom: 'startMs' | 'endMs',
): Map<string, CanonicalSession> {
  const live = [...sessions.values()].filter((session) => session !== null);
  const canonicalSessions = new Map<string, CanonicalSession>();
  for (const session of live) {
    const others = live.filter((other) => overlap(session, other));
    const wins = ([other]: readonly Session[]) =>
      other === undefined ||
      (session.device === 'watch'
        ? dayFrom === 'startMs' || !isTooShort(session, other)
        : dayFrom === 'endMs' && isTooShort(other, session));
    if (!wins(others)) continue;
    canonicalSessions.set(`${session.device} ${session.id}`, {
      ...session,
      date: days.dateOf(session[dayFrom]),
      isMain: false,
      mergedFrom: others.map(({ device, id }) => `${device} ${id}`),
    });
  }
  for (const ofDay of Map.groupBy(canonicalSessions.values(), ({ date }) => date).values()) {
    const main = mainOf(ofDay);
    if (main) main.isMain = true;
  }
  return canonicalSessions;
}

/** Whether a session is too short to be compared with another one that covers enough of the time of both. */
function isTooShort(session: Session, other: Session): boolean {
  const spanMs = Math.max(session.endMs, other.endMs) - Math.min(session.startMs, other.startMs);
  const longestMs = Math.max(lengthOf(session), lengthOf(other));
  const leastMs = longestMs >= 0.6 * spanMs ? 0.6 * spanMs : longestMs / 2;
  return lengthOf(session) < leastMs;
}

function lengthOf({ startMs, endMs }: Session): number {
  return endMs - startMs;
}

/** The longest session with at least an hour asleep. Generated nights are longer than any nap. */
export function mainOf<S extends Session>(sessions: readonly S[]): S | null {
  const [longest] = sessions.toSorted((a, b) => asleep(b) - asleep(a) || a.startMs - b.startMs);
  return longest && asleep(longest) >= 60 ? longest : null;
}

function asleep({ numbers }: Session): number {
  return numbers['asleep'] ?? 0;
}

function overlap(a: Session, b: Session): boolean {
  return a !== b && a.startMs < b.endMs && b.startMs < a.endMs;
}
