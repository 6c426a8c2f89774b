import { parseId } from '@tributary/server/testing/ids';

const digits = 10;

/** A UUIDv7 that contains the number of the event, and sorts by it within a millisecond. */
export function uuidOf(number: number): string {
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-00${number.toString(16).padStart(digits, '0')}`;
}

/** The number in the UUID of an event. */
export function numberIn(uuid: string): number {
  return Number.parseInt(uuid.slice(-digits), 16);
}

/** The number in an event id as the API formats it. */
export function numberInId(id: string): number {
  const uuid = parseId('evt', id);
  if (uuid === null) throw new Error(`${id} is not an event id`);
  return numberIn(uuid);
}
