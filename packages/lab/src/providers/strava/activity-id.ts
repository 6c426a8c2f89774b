import { createHash } from 'node:crypto';
import { dayNumber } from '../document-id.ts';

const places = 10;
const perPerson = 100_000 * places;

/** The id of an activity. It exceeds 32 bits, and the date can be decoded again if the person is known. */
export function activityId(person: string, date: string, place: number): number {
  return blockOf(person) * perPerson + dayNumber(date) * places + place;
}

/** The date of this person's activity, or null if the id belongs to another person. */
export function dateOfActivity(person: string, id: number): string | null {
  if (!Number.isSafeInteger(id) || Math.floor(id / perPerson) !== blockOf(person)) return null;
  return new Date(Math.floor((id % perPerson) / places) * 86_400_000).toISOString().slice(0, 10);
}

function blockOf(person: string): number {
  const word = createHash('sha256').update(`strava activities of ${person}`).digest().readUInt32BE();
  return 10_000 + (word % 890_000);
}
