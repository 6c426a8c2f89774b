import { parseDay } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { readDays, resolveDays } from './date-range.ts';

const nowMs = Date.parse('2026-03-02T12:00:00Z');
const day = (text: string) => parseDay(text)!;
const userIn = (timezones: string, daysAhead = 0) => ({ timezones, daysAhead });
const problem = (name: string) =>
  expect.objectContaining({
    code: 'invalid_request',
    details: { fields: [expect.objectContaining({ in: 'query', name })] },
  });

describe('Form 2', () => {
  test('uses the 30 days up to today in the user’s time zone without dates', () => {
    const requestedDays = readDays({}, 2, 366);
    expect(resolveDays(requestedDays, userIn('Pacific/Auckland'), nowMs)).toEqual({
      from: day('2026-02-02'),
      to: day('2026-03-03'),
    });
    expect(resolveDays(requestedDays, userIn('America/Los_Angeles'), nowMs).to).toBe(day('2026-03-02'));
  });

  test('uses a sandbox user’s own today', () => {
    expect(resolveDays(readDays({}, 2, 366), userIn('UTC', 3), nowMs)).toEqual({
      from: day('2026-02-04'),
      to: day('2026-03-05'),
    });
  });

  test('derives the other date from one date', () => {
    expect(resolveDays(readDays({ to_date: '2026-01-30' }, 2, 366), userIn('UTC'), nowMs)).toEqual({
      from: day('2026-01-01'),
      to: day('2026-01-30'),
    });
    expect(resolveDays(readDays({ from_date: '2026-03-01' }, 2, 366), userIn('UTC'), nowMs)).toEqual({
      from: day('2026-03-01'),
      to: day('2026-03-02'),
    });
  });

  test('checks ranges that depend on today once today is known', () => {
    const tomorrow = readDays({ from_date: '2026-03-03' }, 2, 366);
    expect(resolveDays(tomorrow, userIn('Pacific/Auckland'), nowMs).from).toBe(day('2026-03-03'));
    expect(() => resolveDays(tomorrow, userIn('UTC'), nowMs)).toThrow(problem('from_date'));
    expect(() => resolveDays(readDays({ from_date: '2025-03-01' }, 2, 366), userIn('UTC'), nowMs)).toThrow(
      problem('to_date'),
    );
  });
});

test.each([
  [1, {}, 'start_date'],
  [1, { start_date: '2026-03-01' }, 'end_date'],
  [1, { start_date: '2026-03-02', end_date: '2026-03-01' }, 'start_date'],
  [1, { start_date: '2026-01-01', end_date: '2026-04-01' }, 'end_date'],
  [1, { start_date: '2026-02-29', end_date: '2026-03-01' }, 'start_date'],
  [2, { to_date: '1899-12-31' }, 'to_date'],
  [2, { to_date: '2026-3-1' }, 'to_date'],
  [2, { from_date: '2026-03-02', to_date: '2026-03-01' }, 'from_date'],
] as const)('Form %d with %j names %s', (form, query, name) => {
  expect(() => readDays(query, form, 90)).toThrow(problem(name));
});

test('counts both ends of the longest range', () => {
  expect(() => readDays({ start_date: '2026-01-01', end_date: '2026-03-31' }, 1, 90)).not.toThrow();
});
