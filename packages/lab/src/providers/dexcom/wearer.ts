import { boundsOf } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { dayNumber, documentId } from '../document-id.ts';
import type { Life } from '../life.ts';

/** No simulated user wore a sensor before this date. */
export const firstDate = '2025-01-01';
const sessionDays = 10;
const hour = 3_600_000;
const zonesOfStates = new Set([
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
]);

/** A sensor during the days it is worn, and the device that displays its readings. */
export interface Session {
  transmitterId: string;
  startedAt: number;
  displayDevice: 'iOS' | 'android' | 'receiver';
}

/** The sensor that a person wears on a date. */
export function sessionOn(frame: Frame, { person }: Life, date: string): Session {
  const shift = Math.floor(sessionDays * frame.chance('first sensor', person.id));
  const number = Math.floor((dayNumber(date) + shift) / sessionDays);
  const firstDay = new Date((number * sessionDays - shift) * 86_400_000).toISOString().slice(0, 10);
  const phone = frame.chance('phone', person.id) < 0.5 ? 'iOS' : 'android';
  return {
    transmitterId: documentId(person.id, 'transmitter', firstDay, '').replaceAll('-', ''),
    startedAt: boundsOf(person, firstDay).start,
    displayDevice: frame.chance('display', person.id, number) < 0.35 ? 'receiver' : phone,
  };
}

/** How long readings are delayed, according to one source: one hour in the United States, three elsewhere. */
export function delayMs({ person }: Life): number {
  return zonesOfStates.has(person.timezone) ? hour : 3 * hour;
}

/** The unit of the country a person lives in, so that both units occur. */
export function unitOf({ person }: Life): 'mg/dL' | 'mmol/L' {
  return zonesOfStates.has(person.timezone) ? 'mg/dL' : 'mmol/L';
}
