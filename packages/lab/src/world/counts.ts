/** Activity counters of one provider, for tests. */
export interface Counts {
  requests: number;
  codes: number;
  refreshes: number;
  /** Refresh tokens that were used again after they were invalidated. */
  reuses: number;
  /** Rejected token requests, for any reason. */
  refusedTokens: number;
  revokedGrants: number;
  /** Calls over a limit, by rule. */
  exceeded: Record<string, number>;
  /** Faults that took effect, by kind. */
  faults: Record<string, number>;
  pushes: { sent: number; succeeded: number; failed: number; lost: number };
}

/** Counters that begin at zero. */
export function newCounts(): Counts {
  return {
    requests: 0,
    codes: 0,
    refreshes: 0,
    reuses: 0,
    refusedTokens: 0,
    revokedGrants: 0,
    exceeded: {},
    faults: {},
    pushes: { sent: 0, succeeded: 0, failed: 0, lost: 0 },
  };
}

/** Increments a named counter. */
export function countOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
