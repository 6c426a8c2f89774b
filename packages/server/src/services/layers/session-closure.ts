import { dayMs } from '@tributary/domain';

/** A session with the day it belongs to. */
export interface DatedSpan {
  startMs: number;
  endMs: number;
  day: number;
}

/**
 * Returns all sessions that the touched ones can affect: sessions that overlap in time or belong to the same day, and transitively from those. `all`
 * must be complete between `fromMs` and `toMs`. Null means that the result may extend beyond and more must be read.
 */
export function closureOf<Session extends DatedSpan>(
  touched: readonly DatedSpan[],
  all: readonly Session[],
  known: { fromMs: number; toMs: number },
): Session[] | null {
  const inside = new Set<Session>();
  const frontier: DatedSpan[] = [...touched];
  for (let next = frontier.pop(); next; next = frontier.pop()) {
    // A day lasts at most 26 hours, and a session at most two days.
    if (next.startMs - marginMs < known.fromMs || next.endMs + marginMs > known.toMs) return null;
    for (const session of all) {
      const related =
        session.day === next.day || (session.startMs < next.endMs && session.endMs > next.startMs);
      if (related && !inside.has(session)) {
        inside.add(session);
        frontier.push(session);
      }
    }
  }
  return all.filter((session) => inside.has(session));
}

const marginMs = 4 * dayMs;
