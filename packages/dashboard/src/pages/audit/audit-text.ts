import type { ActorType, AuditEntryWire } from '@tributary/contract';
import type { AuditFilter } from '../../api/audit.ts';

const acronyms: Record<string, string> = { api: 'API', sdk: 'SDK' };

/** "API key created" for `api_key.created`. */
export function describeAction(action: string): string {
  const words = action
    .split(/[._]/)
    .map((word) => acronyms[word] ?? word)
    .join(' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

const actorNames: Record<ActorType, string> = {
  api_key: 'API key',
  sdk_session: 'Mobile SDK',
  person: 'Person',
  operator: 'Colleague',
  command_line: 'Command line',
  service: 'Service',
};

/** The actor's name if known, otherwise the kind of actor. */
export function describeActor({ actor }: AuditEntryWire, names: Record<string, string>): string {
  if (actor.type === 'operator') return names[actor.id] ?? 'Former colleague';
  return actorNames[actor.type];
}

/** Returns whether an entry is a read of a user's data, which changes nothing but is audited. */
export function isRead({ action }: AuditEntryWire): boolean {
  return action === 'user.read';
}

export interface AuditSearch {
  search: string;
  action: string;
  from: string;
  to: string;
}

const idShape = /^[a-z]+_[0-9a-z]{20,}$/;
/** Ids of actors rather than targets. */
const actingIds = /^(op|key|sess)_/;

/** Returns the API filter for a search. Days are in the reader's time zone, both inclusive. */
export function filterOf(
  { search, action, from, to }: AuditSearch,
  names: Record<string, string>,
): AuditFilter {
  const text = search.trim();
  const isId = idShape.test(text);
  const isActing = isId && actingIds.test(text);
  return {
    action: action || null,
    actor_id: isActing ? text : isId ? null : findColleague(text, names),
    target_id: isId && !isActing ? text : null,
    since: startOf(from, 0),
    until: startOf(to, 1),
  };
}

/** Returns the only dashboard user whose name contains the text. */
export function findColleague(text: string, names: Record<string, string>): string | null {
  if (text === '') return null;
  const matches = Object.entries(names).filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()));
  return matches.length === 1 ? matches[0]![0] : null;
}

/** Returns the start of a date, or of a later one, in the reader's time zone. Null for anything else in the address. */
export function startOf(date: string, laterDays: number): string | null {
  const day = new Date(`${date}T00:00`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(day.getTime())) return null;
  day.setDate(day.getDate() + laterDays);
  return day.toISOString();
}

/** Returns whether an entry contains text that the API cannot search. */
export function hasText(entry: AuditEntryWire, search: string): boolean {
  const text = search.trim().toLowerCase();
  const all = [
    entry.action,
    describeAction(entry.action),
    entry.actor.id,
    entry.target.id,
    entry.address,
    entry.request_id,
    typeof entry.details['operation'] === 'string' ? entry.details['operation'] : null,
    ...Object.values(entry.text ?? {}),
  ];
  return all.some((one) => one?.toLowerCase().includes(text));
}

/** Changed fields with both values. */
export function changesOf({ details }: AuditEntryWire): { name: string; before: unknown; after: unknown }[] {
  const { before, after } = details;
  if (!isRecord(before) || !isRecord(after)) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].map((name) => ({ name, before: before[name], after: after[name] }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
