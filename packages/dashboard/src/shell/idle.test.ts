import { expect, test } from 'vitest';
import { decideIdle, formatLeft, noticeMs } from './idle.ts';

const minute = 60_000;
const base = { now: 0, checkedAt: 0, lastActivityAt: -1, limitMs: 30 * minute, endsAt: 30 * minute };

test.each([
  ['just after a check', { now: 20_000 }, { asks: false, showsNotice: false }],
  ['unused for long', { now: 20 * minute }, { asks: false, showsNotice: false }],
  ['used since the check', { now: 30_000, lastActivityAt: 1 }, { asks: false, showsNotice: false }],
  ['used for a minute', { now: minute, lastActivityAt: 1 }, { asks: true, showsNotice: false }],
  ['near the end, not checked yet', { now: 28 * minute }, { asks: true, showsNotice: false }],
  [
    'near the end, just checked',
    { now: 28 * minute + 5_000, checkedAt: 28 * minute },
    { asks: false, showsNotice: true },
  ],
  [
    'near the end, checked a while ago',
    { now: 28 * minute + 10_000, checkedAt: 28 * minute },
    { asks: true, showsNotice: true },
  ],
  [
    'used while the notice shows',
    { now: 28 * minute + 5_000, checkedAt: 28 * minute, lastActivityAt: 28 * minute + 4_000 },
    { asks: true, showsNotice: false },
  ],
  ['ended', { now: 30 * minute, checkedAt: 30 * minute - 1 }, { asks: true, showsNotice: true }],
])('%s', (_name, state, expected) => {
  expect(decideIdle({ ...base, ...state })).toEqual(expected);
});

test('shows the notice two minutes before the end, or half of a short limit', () => {
  expect(noticeMs(30 * minute)).toBe(2 * minute);
  expect(noticeMs(minute)).toBe(30_000);
});

test.each([
  [119_001, '2:00'],
  [65_000, '1:05'],
  [1, '0:01'],
  [-5, '0:00'],
])('formats %i ms as %s', (ms, text) => {
  expect(formatLeft(ms)).toBe(text);
});
