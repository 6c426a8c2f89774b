/** A session of one device, with a unique key. */
export interface KeyedSession {
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A session that is shown, with the keys of the sessions merged into it. */
export interface ShownSession<S extends KeyedSession> {
  readonly session: S;
  readonly mergedKeys: readonly string[];
}

export function overlapMs(a: KeyedSession, b: KeyedSession): number {
  return Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs));
}

export function compareKeys(a: KeyedSession, b: KeyedSession): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

export function compareStarts(a: KeyedSession, b: KeyedSession): number {
  return a.startMs - b.startMs || compareKeys(a, b);
}

/** Groups sessions that overlap in time and are alike, directly or through a third one. */
export function cluster<S extends KeyedSession>(
  sessions: readonly S[],
  areAlike: (a: S, b: S) => boolean,
): S[][] {
  const clusters = new Map<S, S[]>();
  let open: S[] = [];
  for (const session of sessions.toSorted(compareStarts)) {
    clusters.set(session, [session]);
    open = open.filter((other) => other.endMs > session.startMs);
    for (const other of open) {
      const [own, others] = [clusters.get(session)!, clusters.get(other)!];
      if (own === others || !areAlike(session, other)) continue;
      for (const member of others) {
        own.push(member);
        clusters.set(member, own);
      }
    }
    open.push(session);
  }
  return [...new Set(clusters.values())];
}

/** Assigns each of the others to the kept session with the most overlap, or else to the nearest one. */
export function assignMerged<S extends KeyedSession>(
  shownSessions: readonly S[],
  others: readonly S[],
): ShownSession<S>[] {
  const inOrder = shownSessions.toSorted(compareStarts);
  const merged = new Map<S, string[]>(inOrder.map((session) => [session, []]));
  for (const other of others) {
    const closest = inOrder.reduce((best, one) =>
      closeness(one, other) > closeness(best, other) ? one : best,
    );
    merged.get(closest)!.push(other.key);
  }
  return inOrder.map((session) => ({
    session,
    mergedKeys: merged.get(session)!.sort(),
  }));
}

/** Shared time. Negative if there is a gap. */
function closeness(a: KeyedSession, b: KeyedSession): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}
