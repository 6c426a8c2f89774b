import type { LocalDays } from '@tributary/rig';
import type { Session } from './normalized.ts';

/** A session that is shown. */
export interface KeptSession extends Session {
  date: string;
  isMain: boolean;
  /** `device id` of sessions that gave way to it. */
  gaveWay: string[];
}

/**
 * Of sessions that overlap the watch's stays. The uploads are made so that sessions of one device never overlap, and that those of both
 * do only where they tell the same one.
 */
export function keptSessions(
  sessions: Map<string, Session | null>,
  days: LocalDays,
  dayFrom: 'startMs' | 'endMs',
): Map<string, KeptSession> {
  const live = [...sessions.values()].filter((session) => session !== null);
  const kept = new Map<string, KeptSession>();
  for (const session of live) {
    const others = live.filter((other) => overlap(session, other));
    if (session.device === 'phone' && others.length > 0) continue;
    kept.set(`${session.device} ${session.id}`, {
      ...session,
      date: days.dateOf(session[dayFrom]),
      isMain: false,
      gaveWay: others.map(({ device, id }) => `${device} ${id}`),
    });
  }
  for (const ofDay of Map.groupBy(kept.values(), ({ date }) => date).values()) {
    const main = mainOf(ofDay);
    if (main) main.isMain = true;
  }
  return kept;
}

/** The longest one with two hours asleep. */
export function mainOf<S extends Session>(sessions: readonly S[]): S | null {
  const [longest] = sessions.toSorted((a, b) => asleep(b) - asleep(a) || a.startMs - b.startMs);
  return longest && asleep(longest) >= 120 ? longest : null;
}

function asleep({ numbers }: Session): number {
  return numbers['asleep'] ?? 0;
}

function overlap(a: Session, b: Session): boolean {
  return a !== b && a.startMs < b.endMs && b.startMs < a.endMs;
}
