import { expect, test } from 'vitest';
import { isTimezone } from './timezone.ts';

test('accepts every zone that the runtime lists', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(isTimezone(zone), zone).toBe(true);
});

test.each([
  'UTC',
  'Etc/GMT+5',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'America/Argentina/Buenos_Aires',
  'US/Eastern',
])('accepts %s', (name) => expect(isTimezone(name)).toBe(true));

test.each([
  '',
  'Mars/Olympus',
  '+02:00',
  'Europe/',
  '/Berlin',
  'Europe/Berlin\u0000',
  ' UTC',
  'x'.repeat(65),
  '__proto__',
])('rejects %j', (name) => expect(isTimezone(name)).toBe(false));
