import type { AuditEntryWire } from '@tributary/contract';
import { isRead } from './audit-text.ts';

/** A line of the table: one entry, or all reads of one visit to a person. */
export interface AuditLine {
  /** Newest first, at least one. */
  entries: readonly [AuditEntryWire, ...AuditEntryWire[]];
}

/** Reads that are further apart are two visits. */
const visitMs = 10 * 60_000;

/**
 * The lines of entries that are newest first. Opening the page of a person is many reads, and each is an entry: those of one colleague, person
 * and address are told together, where the newest of them stands. Whatever else was done meanwhile does not part them.
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

/** What was read in a visit, by operation, in the order of the last time, and how often. */
export function readsOf({ entries }: AuditLine): { what: string; count: number; at: string }[] {
  const reads = new Map<string, { what: string; count: number; at: string }>();
  for (const entry of entries) {
    const what = sayOperation(entry);
    const known = reads.get(what);
    if (known) known.count += 1;
    else reads.set(what, { what, count: 1, at: entry.at });
  }
  return [...reads.values()];
}

/** "score history" of `listScoreHistory`, "explain daily" of `explainDaily`. */
export function sayOperation({ details: { operation } }: AuditEntryWire): string {
  if (typeof operation !== 'string' || operation === '') return 'data';
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/^(list|get) /, '');
}
