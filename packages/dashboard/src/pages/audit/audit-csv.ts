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

/** Returns the entries as CSV. */
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

/** Quotes a cell. Text that a spreadsheet would treat as a formula is escaped, because names come from other people. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
