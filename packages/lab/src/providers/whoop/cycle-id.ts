import { createHash } from 'node:crypto';
import { dayNumber } from '../document-id.ts';

const dates = 100_000;

/** The id of a cycle. The date can be decoded again if the person is known. */
export function cycleId(person: string, date: string): number {
  return blockOf(person) * dates + dayNumber(date);
}

/** The date of this person's cycle, or null if the id belongs to another person. */
export function dateOfCycle(person: string, id: number): string | null {
  if (!Number.isSafeInteger(id) || Math.floor(id / dates) !== blockOf(person)) return null;
  return new Date((id % dates) * 86_400_000).toISOString().slice(0, 10);
}

function blockOf(person: string): number {
  return 1 + (createHash('sha256').update(`whoop cycles of ${person}`).digest().readUInt32BE() % 9000);
}
