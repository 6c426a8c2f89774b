import type { AccessRecordWire } from '@tributary/contract';
import type { AccessFilter } from '../../api/access-records.ts';
import { shortDay } from '../../words/time.ts';
import { findColleague, startOf } from '../audit/audit-text.ts';

export interface AccessSearch {
  /** The id of a user or credential, or the name of a colleague. */
  search: string;
  from: string;
  to: string;
}

/** Returns the API filter for a search, or null for text that is neither an id nor the name of one colleague. */
export function filterOf(
  { search, from, to }: AccessSearch,
  names: Record<string, string>,
): AccessFilter | null {
  const days = { from: startOf(from, 0), to: startOf(to, 1) };
  const text = search.trim();
  if (text === '') return { user_id: null, credential_id: null, ...days };
  if (isId('user', text)) return { user_id: text, credential_id: null, ...days };
  const credential = isId('key|tok|op', text) ? text : findColleague(text, names);
  return credential === null ? null : { user_id: null, credential_id: credential, ...days };
}

function isId(prefixes: string, text: string): boolean {
  return new RegExp(`^(${prefixes})_[0-9a-z]{26}$`).test(text);
}

/** The name of a colleague if known, otherwise the kind of credential. */
export function describeCredential(
  { credential: { type, id } }: Pick<AccessRecordWire, 'credential'>,
  names: Record<string, string>,
): string {
  if (type === 'operator') return names[id] ?? 'Former colleague';
  return type === 'api_key' ? 'API key' : 'User token';
}

export const outcomeNames: Record<AccessRecordWire['outcome'], string> = {
  returned: 'Returned',
  not_modified: 'Not modified',
  headers_only: 'Headers only',
};

/** "Mar 1 – Mar 31, 2026", or null for an operation without days. */
export function describeDays({
  first_day: first,
  last_day: last,
}: Pick<AccessRecordWire, 'first_day' | 'last_day'>): string | null {
  if (first === null || last === null) return null;
  return first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`;
}
