import { expect, test } from 'vitest';
import { clockChangeBetween } from './clock-change.ts';
import { dayClockOf } from './day-clock.ts';
import { failureOf } from './failure-of.ts';
import { momentsOf, nightClockOf } from './night-clock.ts';
import { secondsOfDuration, localMsOf } from './wire.ts';

const at = (text: string): number => Date.parse(text);

test('places a clock change where most zones with these offsets have it', () => {
  const between = (start: string, end: string, from: string, to: string): string | null => {
    const ms = clockChangeBetween(at(start), at(end), { from, to });
    return ms === null ? null : new Date(ms).toISOString();
  };
  expect(between('2026-10-24T21:00Z', '2026-10-25T06:00Z', '+02:00', '+01:00')).toBe(
    '2026-10-25T01:00:00.000Z',
  );
  expect(between('2026-03-08T03:00Z', '2026-03-08T11:00Z', '-05:00', '-04:00')).toBe(
    '2026-03-08T07:00:00.000Z',
  );
  expect(between('2026-09-06T02:00Z', '2026-09-06T11:00Z', '-04:00', '-03:00')).toBe(
    '2026-09-06T04:00:00.000Z',
  );
  expect(between('2026-10-24T21:00Z', '2026-10-25T00:30Z', '+02:00', '+01:00')).toBeNull();
  expect(between('2026-11-06T22:00Z', '2026-11-07T06:00Z', '+00:00', '-05:00')).toBeNull();
  expect(between('9999-10-24T21:00Z', '9999-10-25T06:00Z', '+02:00', '+01:00')).toBeNull();
});

test('counts times of day from the start of the night, past midnight', () => {
  const night = nightClockOf('2026-11-09T23:12:20+05:45', '2026-11-10T06:48:20+05:45')!;
  expect(
    momentsOf(night, { '00:05': 2, '23:12': 0, '06:48': 1, '06:49': 3, '23:11': 4, '24': 1, '00:06': null }),
  ).toEqual([
    [at('2026-11-09T23:12:00+05:45'), 0],
    [at('2026-11-10T00:05:00+05:45'), 2],
    [at('2026-11-10T06:48:00+05:45'), 1],
  ]);
  expect(nightClockOf('2026-11-09T23:12:20', '2026-11-10T06:48:20')).toBeNull();
});

test('gives a time without an offset the offset of the times around it', () => {
  expect(dayClockOf([])).toBeNull();
  expect(dayClockOf(['2026-11-09T07:00:00', null, 5])).toBeNull();
  const clock = dayClockOf(['2026-10-25T07:30:00+01:00', '2026-10-24T23:00:00+02:00'])!;
  for (const [localTime, instant] of [
    ['2026-10-24T20:00:00', '2026-10-24T20:00:00+02:00'],
    ['2026-10-25T01:59:00', '2026-10-25T01:59:00+02:00'],
    ['2026-10-25T03:00:00', '2026-10-25T03:00:00+01:00'],
    ['2026-10-25T23:00:00', '2026-10-25T23:00:00+01:00'],
  ] as const)
    expect(clock(localMsOf(localTime)!)).toEqual({ atMs: at(instant), offset: instant.slice(-6) });
});

test('parses complete durations and rejects anything else', () => {
  expect(['PT1H5M30S', 'PT0S', 'P1DT2M', 'PT30.5S', 'P2D'].map(secondsOfDuration)).toEqual([
    3930, 0, 86_520, 30.5, 172_800,
  ]);
  for (const value of ['P', 'PT', '', '1H', null, 60, 'PT1H '])
    expect(secondsOfDuration(value), String(value)).toBeNull();
});

test('reports the retry time of the exhausted limit', () => {
  const limited = (headers: Record<string, string>) =>
    failureOf({ status: 429, headers, body: '{}' }, 1000)?.retryAtMs;
  const headers = { 'ratelimit-limit': '520, 5100', 'ratelimit-reset': '300, 40000' };
  expect(limited({ ...headers, 'ratelimit-usage': '520, 900' })).toBe(301_000);
  expect(limited({ ...headers, 'ratelimit-usage': '12, 5100' })).toBe(40_001_000);
  expect(limited({ ...headers, 'ratelimit-usage': '521, 5101' })).toBe(40_001_000);
  expect(limited({ 'ratelimit-reset': '300, 40000' })).toBe(301_000);
  expect(limited({})).toBeNull();
});
