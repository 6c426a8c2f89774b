import type { AuditEntryWire } from '@tributary/contract';
import { isRead } from './audit-text.ts';

/** A line of the table: one entry, or all reads of a user in one visit. */
export interface AuditLine {
  /** Newest first, at least one entry. */
  entries: readonly [AuditEntryWire, ...AuditEntryWire[]];
}

/** Reads that are further apart belong to separate visits. */
const visitMs = 10 * 60_000;

/**
 * Groups entries, newest first, into lines. Opening a user's page causes many reads with an entry each. Reads by the same dashboard user,
 * of the same user and from the same address become one line at the position of the newest, even with other entries in between.
 */
export function linesOf(entries: readonly AuditEntryWire[]): AuditLine[] {
  const lines: { entries: [AuditEntryWire, ...AuditEntryWire[]] }[] = [];
  const visits = new Map<string, (typeof lines)[number]>();
  for (const entry of entries) {
    const key = [entry.actor.id, entry.target.id, entry.environment, entry.address].join(' ');
    const visit = isRead(entry) ? visits.get(key) : undefined;
    const last = visit?.entries.at(-1);
    if (visit && last && Date.parse(last.at) - Date.parse(entry.at) <= visitMs) {
      visit.entries.push(entry);
      continue;
    }
    const line: (typeof lines)[number] = { entries: [entry] };
    lines.push(line);
    if (isRead(entry)) visits.set(key, line);
  }
  return lines;
}

/** Lists the operations of a visit with their counts, most recent first. */
export function readsOf({ entries }: AuditLine): { what: string; count: number; at: string }[] {
  const reads = new Map<string, { what: string; count: number; at: string }>();
  for (const entry of entries) {
    const what = describeOperation(entry.details['operation']);
    const known = reads.get(what);
    if (known) known.count += 1;
    else reads.set(what, { what, count: 1, at: entry.at });
  }
  return [...reads.values()];
}

/** "score history" for `listScoreHistory`, "explain daily" for `explainDaily`. */
export function describeOperation(operation: unknown): string {
  if (typeof operation !== 'string' || operation === '') return 'data';
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/^(list|get) /, '');
}
