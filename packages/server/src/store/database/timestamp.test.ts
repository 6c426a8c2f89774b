import { expect, test } from 'vitest';
import { parseTimestamp } from './timestamp.ts';

test.each([
  ['2026-03-02 07:14:31+00', '2026-03-02T07:14:31.000Z'],
  ['2026-03-02 07:14:31.1+00', '2026-03-02T07:14:31.100Z'],
  ['2026-03-02 07:14:31.123456+00', '2026-03-02T07:14:31.123Z'],
])('parses %s to %s', (text, iso) => expect(parseTimestamp(text)).toBe(iso));

test('rejects a timestamp that is not in UTC', () => {
  expect(() => parseTimestamp('2026-03-02 09:14:31+02')).toThrow(/not in UTC/);
});
