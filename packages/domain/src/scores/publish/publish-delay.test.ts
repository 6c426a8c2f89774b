import { expect, test } from 'vitest';
import { publishDelayUntilMs } from './publish-delay.ts';
import type { ScoredDay } from '../score-day.ts';
import type { Scored, ScoreType } from '../score.ts';
import { scoreTypes } from '../score.ts';

const nowMs = Date.parse('2026-03-02T09:00:00Z');
const score = { value: 50 } as Scored;

/** A day with values for all scores except these. */
function dayWithout(lacking: readonly ScoreType[], hrv = 'sleep_heart_rate_variability') {
  const scores = Object.fromEntries(scoreTypes.map((type) => [type, lacking.includes(type) ? null : score]));
  const prepared = { recovery_score: { metrics: [hrv] } };
  return { scores, prepared } as unknown as ScoredDay;
}
const epochs = (count: number) => Array.from({ length: count }, (_, slot) => ({ slot, bpm: 60, hrv: null }));
const minutes = (untilMs: number) => (untilMs - nowMs) / 60_000;
const hold = (day: ScoredDay, facts = {}, state = {}) =>
  minutes(
    publishDelayUntilMs(
      day,
      { coveredMinutes: 900, epochs: epochs(60), ...facts },
      { nowMs, isShown: true, heldUntilMs: null, ...state },
    ),
  );

test('holds a score for two hours after it was published', () => {
  expect(hold(dayWithout([]))).toBe(120);
});

test('checks again after an hour if nothing changed', () => {
  expect(hold(dayWithout([]), {}, { isShown: false })).toBe(60);
});

test('checks a held score when it may be published', () => {
  expect(hold(dayWithout([]), {}, { heldUntilMs: nowMs + 25 * 60_000 })).toBe(25);
});

test('checks for a first strain when ten hours can be covered', () => {
  expect(hold(dayWithout(['strain_score']), { coveredMinutes: 570 })).toBe(30);
  expect(hold(dayWithout(['strain_score']), { coveredMinutes: 700 })).toBe(0);
});

test('checks for a first stress when there can be three hours of epochs', () => {
  expect(hold(dayWithout(['stress_score']), { epochs: epochs(24) })).toBe(60);
  expect(hold(dayWithout(['stress_score']), { epochs: epochs(0) })).toBe(120);
});

test('waits with a first recovery for the night, unless daytime variability replaces it', () => {
  expect(hold(dayWithout(['recovery_score']))).toBe(120);
  expect(hold(dayWithout(['recovery_score'], 'heart_rate_variability_rmssd'))).toBe(0);
});
