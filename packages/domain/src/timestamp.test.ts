import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTimestamp } from './timestamp.ts';

test.each([
  '2026-03-02T07:14:30Z',
  '2026-03-02t07:14:30z',
  '2026-03-02T07:14:30.123456789Z',
  '2026-03-02T07:14:30+05:30',
  '2024-02-29T00:00:00Z',
  '2000-02-29T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
])('accepts %s', (text) => {
  expect(isTimestamp(text)).toBe(true);
  expect(Date.parse(text)).not.toBeNaN();
});

test.each([
  '2016-12-31T23:59:60Z',
  '2026-03-02T07:14:30+05',
  '2026-03-02T07:14:30+0530',
  '2026-03-02T07:14:30',
  '2026-03-02 07:14:30Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T07:60:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-03-02T07:14:30.Z',
  '+275760-09-13T00:00:00Z',
  '2026-03-02T07:14:30Z\n',
  '2026-03-02',
  '',
])('rejects %j', (text) => {
  expect(isTimestamp(text)).toBe(false);
});

test('accepts every instant that it prints', () => {
  const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  fc.assert(fc.property(fc.date(years), (date) => isTimestamp(date.toISOString())));
});
