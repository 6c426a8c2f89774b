/** A session with the day that it counts for. */
export interface DatedSpan {
  startMs: number;
  endMs: number;
  day: number;
}

/**
 * From the touched sessions, everything that they can have a part in deciding: sessions that overlap in time, and sessions of the same day,
 * and so on from those. `all` must be complete between `fromMs` and `toMs`; null means that the answer may reach beyond and more has to be read.
 */
export function closureOf<Session extends DatedSpan>(
  touched: readonly DatedSpan[],
  all: readonly Session[],
  known: { fromMs: number; toMs: number },
): Session[] | null {
  const inside = new Set<Session>();
  const frontier: DatedSpan[] = [...touched];
  for (let next = frontier.pop(); next; next = frontier.pop()) {
    // A day is at most 26 hours and a session at most two days long.
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

const marginMs = 4 * 86_400_000;
