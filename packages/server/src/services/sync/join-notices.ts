import { dayMs } from '@tributary/domain';
import type { StoredNotice } from '../../store/connections/sync-notices.ts';

/** Notices that one read covers. */
export interface JoinedNotice {
  ids: number[];
  notice: StoredNotice;
}

/**
 * Joins the notices that arrived while a connection waited: notices of the same document, and spans of a stream that are less than a day apart and
 * together no longer than one read. Each joined notice takes the place of its last part, so that nothing is read before its notice arrived.
 */
export function joinNotices(
  notices: readonly { id: number; notice: StoredNotice }[],
  pieceDaysOf: (stream: string) => number,
): JoinedNotice[] {
  const joined: JoinedNotice[] = [];
  for (const { id, notice } of notices) {
    const at = joined.findIndex((one) => isJoinable(one.notice, notice, pieceDaysOf(notice.stream)));
    const before = at < 0 ? null : joined.splice(at, 1)[0]!;
    joined.push({
      ids: [...(before?.ids ?? []), id],
      notice: before ? unionOf(before.notice, notice) : notice,
    });
  }
  return joined;
}

function isJoinable(one: StoredNotice, other: StoredNotice, pieceDays: number): boolean {
  if (one.stream !== other.stream || one.kind !== other.kind) return false;
  if (one.kind !== 'span' || other.kind !== 'span')
    return 'id' in one && 'id' in other && one.id === other.id;
  const gapMs = Math.max(one.fromMs, other.fromMs) - Math.min(one.toMs, other.toMs);
  const lengthMs = Math.max(one.toMs, other.toMs) - Math.min(one.fromMs, other.fromMs);
  return gapMs < dayMs && lengthMs <= pieceDays * dayMs;
}

function unionOf(one: StoredNotice, other: StoredNotice): StoredNotice {
  if (one.kind !== 'span' || other.kind !== 'span') return other;
  return {
    ...other,
    fromMs: Math.min(one.fromMs, other.fromMs),
    toMs: Math.max(one.toMs, other.toMs),
  };
}
