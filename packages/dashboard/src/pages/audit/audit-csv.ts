import type { AuditEntryWire } from '@tributary/contract';

const heads = [
  'at',
  'position',
  'environment',
  'action',
  'actor_type',
  'actor_id',
  'actor_name',
  'target_type',
  'target_id',
  'address',
  'request_id',
  'details',
  'text',
  'id',
  'hash',
];

/** The entries as a table for a spreadsheet. */
export function csvOf(entries: readonly AuditEntryWire[], names: Record<string, string>): string {
  const rows = entries.map((entry) => [
    entry.at,
    String(entry.position),
    entry.environment ?? '',
    entry.action,
    entry.actor.type,
    entry.actor.id,
    names[entry.actor.id] ?? '',
    entry.target.type,
    entry.target.id,
    entry.address ?? '',
    entry.request_id ?? '',
    JSON.stringify(entry.details),
    entry.text === null ? '' : JSON.stringify(entry.text),
    entry.id,
    entry.hash,
  ]);
  return [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Quoted; what a spreadsheet would take for a formula is made text, because names come from other people. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
