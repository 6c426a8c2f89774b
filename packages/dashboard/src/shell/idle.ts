/** How long before its end a notice appears: two minutes, or half of a short limit. */
export function noticeMs(limitMs: number): number {
  return Math.min(120_000, limitMs / 2);
}

export interface IdleState {
  now: number;
  /** When the session ends, as the server last reported it, and when it did. */
  endsAt: number;
  checkedAt: number;
  limitMs: number;
  lastActivityAt: number;
}

/** While the notice shows, other tabs may extend the session, so the server is asked again at this interval. */
const checkEveryMs = 10_000;
/** Use of a page that makes no requests is reported at this interval. */
const reportEveryMs = 60_000;

/** What to do now: nothing, report use or check with the server, and whether to show the notice. */
export function decideIdle({ now, endsAt, checkedAt, limitMs, lastActivityAt }: IdleState): {
  asks: boolean;
  showsNotice: boolean;
} {
  const wasUsed = lastActivityAt > checkedAt;
  const isNear = now >= endsAt - noticeMs(limitMs);
  if (!isNear)
    return { asks: wasUsed && now - checkedAt >= Math.min(reportEveryMs, limitMs / 4), showsNotice: false };
  // The server may know of use in other tabs, so it is asked before the notice appears.
  const wasCheckedNear = checkedAt >= endsAt - noticeMs(limitMs) - checkEveryMs;
  return {
    asks: wasUsed || !wasCheckedNear || now - checkedAt >= checkEveryMs || now >= endsAt,
    showsNotice: !wasUsed && wasCheckedNear,
  };
}

/** "1:05". */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
