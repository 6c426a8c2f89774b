import { expect, test } from 'vitest';
import { publish, shownScore, type PublishedScore, type Publishing } from './publishing.ts';
import type { VersionedScore } from '../score.ts';

const hourMs = 3_600_000;
const nowMs = Date.parse('2026-03-02T12:00:00Z');
const today = 20_514;
const midnightMs = Date.parse('2026-03-03T00:00:00Z');

const at = (change: Partial<Publishing> = {}): Publishing => ({
  nowMs,
  today,
  todayEndsMs: midnightMs,
  urgent: false,
  ...change,
});

const scoreOf = (value: number): VersionedScore => ({
  value,
  version: 2,
  confidence: 'normal',
  factors: [
    { name: 'baseline', contribution: 75, direction: 'neutral' },
    { name: 'duration', contribution: Math.round((value - 75) * 10) / 10, direction: 'positive' },
  ],
});

/** 80.1, published some hours ago. */
const shown = (hoursAgo: number, times = 1, publishedDay = today): PublishedScore => ({
  tenths: 801,
  factors: [
    ['baseline', 750],
    ['duration', 51],
  ],
  publishedMs: nowMs - hoursAgo * hourMs,
  publishedDay,
  times,
  version: 2,
  confidence: 'normal',
});

const next = (times: number): PublishedScore => ({
  tenths: 823,
  factors: [
    ['baseline', 750],
    ['duration', 73],
  ],
  publishedMs: nowMs,
  publishedDay: today,
  times,
  version: 2,
  confidence: 'normal',
});

test('publishes the first value of a date immediately', () => {
  expect(publish(null, scoreOf(82.3), at())).toEqual({ outcome: 'published', score: next(1) });
});

test('holds another value until exactly two hours after the last one', () => {
  const expectedHold = { outcome: 'held', untilMs: nowMs + 1 };
  expect(publish(shown(2 - 1 / hourMs), scoreOf(82.3), at())).toEqual(expectedHold);
  expect(publish(shown(2), scoreOf(82.3), at())).toEqual({ outcome: 'published', score: next(2) });
  expect(publish(shown(0.5), scoreOf(82.3), at())).toEqual({
    outcome: 'held',
    untilMs: nowMs + 1.5 * hourMs,
  });
});

test('holds further values until the next day after eight on a local day', () => {
  expect(publish(shown(2, 7), scoreOf(82.3), at())).toEqual({ outcome: 'published', score: next(8) });
  expect(publish(shown(2, 8), scoreOf(82.3), at())).toEqual({ outcome: 'held', untilMs: midnightMs });
  expect(publish(shown(13, 8, today - 1), scoreOf(82.3), at())).toEqual({
    outcome: 'published',
    score: next(1),
  });
});

test('publishes no ninth value on a 25-hour day', () => {
  let score: PublishedScore | null = null;
  let times = 0;
  for (let hour = 0; hour < 25; hour += 1) {
    const moment = at({ nowMs: nowMs + hour * hourMs, todayEndsMs: nowMs + 25 * hourMs });
    const publication = publish(score, scoreOf(76 + hour), moment);
    if (publication.outcome !== 'published') continue;
    score = publication.score;
    times += 1;
  }
  expect(times).toBe(8);
});

test('does not hold a value after a new main sleep or recomputed history', () => {
  expect(publish(shown(0, 8), scoreOf(82.3), at({ urgent: true }))).toEqual({
    outcome: 'published',
    score: next(9),
  });
});

test('removes a value immediately, and changes nothing if there was none', () => {
  expect(publish(shown(0, 8), null, at())).toEqual({ outcome: 'published', score: null });
  expect(publish(null, null, at())).toEqual({ outcome: 'unchanged' });
});

test('never publishes the same value and factors again', () => {
  for (const hoursAgo of [0, 1, 3, 48])
    for (const urgent of [false, true])
      expect(publish(shown(hoursAgo), scoreOf(80.1), at({ urgent }))).toEqual({ outcome: 'unchanged' });
});

test('publishes different factors even if the value is the same', () => {
  const score = scoreOf(80.1);
  const [baseline, duration] = score.factors;
  const renamed: VersionedScore = { ...score, factors: [baseline!, { ...duration!, name: 'regularity' }] };
  expect(publish(shown(3), renamed, at()).outcome).toBe('published');
  const longer: VersionedScore = { ...score, factors: [...score.factors, { ...duration!, contribution: 0 }] };
  expect(publish(shown(3), longer, at()).outcome).toBe('published');
  expect(publish(shown(1), longer, at()).outcome).toBe('held');
});

test('publishes the recipe and the confidence of a score even if the value is the same', () => {
  const score = scoreOf(80.1);
  expect(publish({ ...shown(3), version: 1 }, score, at())).toEqual({
    outcome: 'published',
    score: { ...shown(0), times: 2 },
  });
  expect(publish(shown(3), { ...score, confidence: 'low' }, at())).toMatchObject({
    outcome: 'published',
    score: { confidence: 'low' },
  });
});

test('derives directions from the published tenths, and gives the baseline none', () => {
  const factors = [
    ['baseline', 300],
    ['a', 5],
    ['b', 4],
    ['c', 0],
    ['d', -4],
    ['e', -5],
  ] as const;
  expect(shownScore({ ...shown(0), tenths: 300, factors })).toEqual({
    value: 30,
    version: 2,
    confidence: 'normal',
    factors: [
      { name: 'baseline', contribution: 30, direction: 'neutral' },
      { name: 'a', contribution: 0.5, direction: 'positive' },
      { name: 'b', contribution: 0.4, direction: 'neutral' },
      { name: 'c', contribution: 0, direction: 'neutral' },
      { name: 'd', contribution: -0.4, direction: 'neutral' },
      { name: 'e', contribution: -0.5, direction: 'negative' },
    ],
  });
});
