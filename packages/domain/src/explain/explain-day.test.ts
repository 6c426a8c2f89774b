import { deviceKinds, type Exclusion } from '@tributary/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { methods, type Method } from '../catalog/metric.ts';
import { consolidateDay } from '../consolidate/consolidate-day.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankOf } from '../devices/rank.ts';
import { toMicros } from '../samples/micros.ts';
import { explainDay, explainUnused, type DayChoice } from './explain-day.ts';
import type { DayCandidate } from './verdict.ts';

const steps = findMetric('steps')!;
const anyDevice: DayChoice = {
  period: { name: 'day', lengthMs: 86_400_000 },
  measuredBy: null,
  sessionsOf: null,
};

function candidateOf(
  value: number,
  facts: Partial<DeviceFacts>,
  disabledBy: Exclusion | null = null,
): DayCandidate {
  const device: DeviceFacts = {
    deviceNo: 1,
    stableId: 'a',
    provider: 'garmin',
    onDevice: false,
    kind: 'watch',
    connectedAtMs: 0,
    ...facts,
  };
  return {
    device,
    value: toMicros(value),
    enabled: disabledBy === null,
    disabledBy,
    label: `the ${device.provider} ${device.kind}`,
    coverage: 1,
    total: toMicros(value),
    intervals: [],
    isOfOtherSessions: false,
    isIncomplete: false,
  };
}

function because(method: Method, ...candidates: DayCandidate[]): string[] {
  const { verdicts } = explainDay(steps, method, candidates, anyDevice);
  return candidates.map(({ device }) => verdicts.get(device.deviceNo)!.because);
}

describe('explanation text', () => {
  test('shows all digits of values that are equal when rounded', () => {
    expect(
      because(
        'max',
        candidateOf(100.2, { provider: 'a' }),
        candidateOf(100.4, { deviceNo: 2, provider: 'b' }),
      )[0],
    ).toBe('Not used: 100.2 is less than 100.4 from the b watch.');
  });

  test('names the rank as the reason between equal values', () => {
    const [, second] = because(
      'max',
      candidateOf(5, { provider: 'a' }),
      candidateOf(5, { deviceNo: 2, provider: 'b', kind: 'ring' }),
    );
    expect(second).toBe(
      'Not used: the a watch also reported 5 and ranks higher. Watches outrank rings for steps.',
    );
  });

  test('states that data from the Mobile SDK outranks data from a cloud API', () => {
    const [, second] = because(
      'priority',
      candidateOf(1, { onDevice: true, kind: 'phone', provider: 'apple_health' }),
      candidateOf(2, { deviceNo: 2, kind: 'other' }),
    );
    expect(second).toBe(
      'Not used: the apple_health phone ranks higher. Data from the phone outranks data from a cloud API.',
    );
  });
});

test('uses no reported values for derived metrics', () => {
  const { contributors, verdicts } = explainUnused(steps, [candidateOf(1, {})]);
  expect(contributors).toEqual([]);
  expect(verdicts.get(1)).toMatchObject({ outcome: 'lost', reason: 'not_used_by_method', position: null });
});

const candidates = fc
  .array(
    fc.record({
      stableId: fc.constantFrom('a', 'b', 'c'),
      provider: fc.constantFrom('p', 'q', 'apple_health'),
      onDevice: fc.boolean(),
      kind: fc.constantFrom(...deviceKinds.slice(0, 4)),
      connectedAtMs: fc.integer({ min: 0, max: 2 }),
      value: fc.integer({ min: 0, max: 3 }),
      isOut: fc.boolean(),
      coverage: fc.constantFrom(0.1, 0.4, 0.5, 1),
      total: fc.option(fc.integer({ min: 0, max: 3 })),
      intervals: fc.array(
        fc.record({ startMs: fc.integer({ min: 0, max: 20 }), lengthMs: fc.integer({ min: 0, max: 10 }) }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 6 },
  )
  .map((list) => {
    const known = new Set<string>();
    return list
      .filter(({ provider, stableId }) => !known.has(provider + stableId) && known.add(provider + stableId))
      .map(({ value, isOut, intervals, coverage, total, ...facts }, at) => ({
        ...candidateOf(value, { ...facts, deviceNo: at + 1 }, isOut ? 'provider_everywhere' : null),
        coverage,
        total: total === null ? null : toMicros(Math.min(total, value)),
        intervals: intervals.map(({ startMs, lengthMs }) => ({
          startMs,
          endMs: startMs + lengthMs,
          value: 1,
        })),
      }));
  });

test('names the chosen devices and gives only true reasons', () => {
  fc.assert(
    fc.property(candidates, fc.constantFrom(...methods), (list, method) => {
      const chosen = consolidateDay(steps, method, list);
      const { applied, contributors, verdicts } = explainDay(steps, method, list, anyDevice);
      expect(new Set(contributors)).toEqual(new Set(chosen?.contributors));
      expect(verdicts.size).toBe(list.length);
      expect(applied).toBe(method);

      const of = (deviceNo: number) => list.find(({ device }) => device.deviceNo === deviceNo)!;
      const ranked = ({ device }: DayCandidate) => ({ device, rank: rankOf(steps, device) });
      const taking = list
        .filter(({ enabled }) => enabled)
        .sort((a, b) => compareDevices(ranked(a), ranked(b)));
      const winners = contributors.map(of);
      const isTie = (a: DayCandidate, b: DayCandidate) => ranked(a).rank === ranked(b).rank;
      // The devices of a health store are compared as one, by its best-ranked device.
      const rivals = taking.filter(({ device }) =>
        winners.some((winner) => winner.device.provider === device.provider),
      );
      for (const one of list) {
        const { outcome, reason, position } = verdicts.get(one.device.deviceNo)!;
        expect(position).toBe(one.enabled ? taking.indexOf(one) + 1 : null);
        expect(outcome === 'lost').toBe(!winners.includes(one));
        if (outcome === 'won') expect(winners).toEqual([one]);
        if (outcome === 'contributed') expect(winners.length).toBeGreaterThan(1);
        switch (reason) {
          case 'only_value':
            expect(taking).toEqual([one]);
            break;
          case 'best_rank':
            for (const other of taking.slice(0, taking.indexOf(one)))
              expect(verdicts.get(other.device.deviceNo)!.reason).toBe('low_coverage');
            break;
          case 'low_coverage':
            expect(taking.some((other) => one.coverage * 2 < other.coverage)).toBe(true);
            break;
          case 'largest_value':
            if (outcome === 'won') expect([one.value, one.total]).toContain(chosen!.value);
            break;
          case 'smaller_value':
            if (one.intervals.length === 0 && method !== 'avg')
              expect(one.value).toBeLessThanOrEqual(chosen!.value);
            break;
          case 'lower_rank':
            expect(rivals.some((other) => ranked(one).rank > ranked(other).rank)).toBe(true);
            break;
          case 'connected_earlier':
            expect(
              rivals.some(
                (other) => isTie(one, other) && one.device.connectedAtMs < other.device.connectedAtMs,
              ),
            ).toBe(true);
            break;
          case 'other_id':
            expect(
              rivals.some(
                (other) => isTie(one, other) && one.device.connectedAtMs === other.device.connectedAtMs,
              ),
            ).toBe(true);
            break;
          case 'same_provider_better_device':
            expect(
              taking
                .slice(0, taking.indexOf(one))
                .some(({ device }) => device.provider === one.device.provider),
            ).toBe(true);
            break;
          case 'excluded':
            expect(one.enabled).toBe(false);
            break;
          case 'no_samples':
            expect(one.intervals).toEqual([]);
            break;
          case 'covered':
            expect(one.intervals).not.toEqual([]);
            break;
          case 'averaged':
          case 'added':
            expect(applied).toBe(reason === 'added' ? 'sum' : 'avg');
            break;
          case 'merged':
            expect(one.intervals).not.toEqual([]);
            break;
          case 'not_used_by_method':
          case 'sessions':
          case 'other_sessions':
          case 'other_measurement':
            expect.unreachable();
        }
      }
    }),
    { numRuns: 2000 },
  );
});
