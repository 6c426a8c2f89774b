import { syncReasons } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { explainSync, classifySync } from './sync-state.ts';

const provider = { cadence: { pollMinutes: { pushed: 60, unpushed: 10 }, lateHours: 36, silentHours: 96 } };
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const classify = (quietHours: number, over: object = {}) =>
  classifySync(provider, {
    lastNewsMs: nowMs - quietHours * 3_600_000,
    nowMs,
    failure: null,
    allForbidden: false,
    ...over,
  });

describe('the state of a connection', () => {
  test.each([
    [0, 'fresh', 'on_time'],
    [35.9, 'fresh', 'on_time'],
    [36, 'late', 'nothing_new'],
    [95.9, 'late', 'nothing_new'],
    [96, 'silent', 'nothing_new'],
  ])('after %d hours without new data is %s, because of %s', (hours, state, reason) => {
    expect(classify(hours)).toEqual({ state, reason });
  });

  test.each([
    ['limited', 'provider_limits'],
    ['unavailable', 'provider_unavailable'],
    ['refused', 'nothing_new'],
  ])('is late because the provider is %s, with the reason %s', (failure, reason) => {
    expect(classify(40, { failure })).toEqual({ state: 'late', reason });
    expect(classify(1, { failure })).toEqual({ state: 'fresh', reason: 'on_time' });
  });

  test('is late immediately if the provider refuses everything', () => {
    expect(classify(1, { allForbidden: true })).toEqual({ state: 'late', reason: 'membership_lapsed' });
    expect(classify(200, { allForbidden: true })).toEqual({ state: 'silent', reason: 'membership_lapsed' });
  });
});

test.each(syncReasons)('%s has a message and a next step', (reason) => {
  const { message, nextStep } = explainSync(reason, 'Oura');
  expect(message).toMatch(/\.$/);
  if (nextStep !== null) expect(nextStep).toMatch(/\.$/);
});
