import { createHash } from 'node:crypto';

export { addDays } from '../world/people/local-time.ts';

const dayMs = 86_400_000;

/** An id in UUID form. The same document always gets the same id, and the date can be decoded again if the person and kind are known. */
export function documentId(person: string, kind: string, date: string, key: string): string {
  const head = (dayNumber(date) ^ maskOf(person, kind)) >>> 0;
  const rest = digest(person, kind, date, key);
  return [
    head.toString(16).padStart(8, '0'),
    rest.slice(0, 4),
    `4${rest.slice(4, 7)}`,
    `8${rest.slice(7, 10)}`,
    rest.slice(10, 22),
  ].join('-');
}

/** The date encoded in an id if it belongs to this person and kind, otherwise null. Avoids a search. */
export function dateOfId(person: string, kind: string, id: string): string | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return null;
  const days = (Number.parseInt(id.slice(0, 8), 16) ^ maskOf(person, kind)) >>> 0;
  return days < dayNumber('2200-01-01') ? new Date(days * dayMs).toISOString().slice(0, 10) : null;
}

/** Days since 1970. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

function maskOf(person: string, kind: string): number {
  return Number.parseInt(digest(person, kind).slice(0, 8), 16);
}

function digest(...words: string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('hex');
}
