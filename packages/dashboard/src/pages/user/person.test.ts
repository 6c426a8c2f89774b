import type { UserDetailWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { dayBefore, daysUpTo, todayOf } from './person.ts';

const user = { timezone: 'Pacific/Auckland' } as UserDetailWire;

test("today is the date in the user's time zone", () => {
  expect(todayOf(user, new Date('2026-11-15T12:00:00Z'))).toBe('2026-11-16');
  expect(todayOf({ ...user, timezone: null }, new Date('2026-11-15T23:59:00Z'))).toBe('2026-11-15');
});

test('a sandbox user has their own date', () => {
  const sandbox = { archetype: 'athlete', today: '2027-01-03', days_ahead: 48 } as const;
  expect(todayOf({ ...user, sandbox })).toBe('2027-01-03');
});

test('counts days across month ends and clock changes', () => {
  expect(dayBefore('2026-03-30', 2)).toBe('2026-03-28');
  expect(daysUpTo('2026-03-02', 3)).toEqual({ from: '2026-02-28', to: '2026-03-02' });
});
