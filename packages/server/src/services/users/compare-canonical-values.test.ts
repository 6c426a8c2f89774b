import { encodeMonth, findMetric, parseDay, placeInMonth, type CanonicalMonth } from '@tributary/domain';
import { expect, test } from 'vitest';
import type { CanonicalValues } from '../../store/layers/canonical-values.ts';
import { compareCanonicalValues } from './compare-canonical-values.ts';

const march = placeInMonth(parseDay('2026-03-01')!).month;
const nothing: CanonicalValues = { months: [], sessions: [] };

/** A month of 31 days with these values. */
function month(
  metricNo: number,
  values: Record<number, number>,
  source = 1,
): CanonicalValues['months'][number] {
  const days: CanonicalMonth = Array.from({ length: 31 }, (_, at) =>
    values[at + 1] === undefined ? null : { micros: values[at + 1]!, source, contributors: [] },
  );
  return { metricNo, month: march, detail: Buffer.from(encodeMonth(days)) };
}
const canonicalLayer = (...months: CanonicalValues['months']): CanonicalValues => ({ months, sessions: [] });
const change = (metrics: number[], first: string, last: string) => ({
  metrics,
  firstDay: parseDay(first),
  lastDay: parseDay(last),
});

test('returns null for equal states', () => {
  expect(compareCanonicalValues(nothing, nothing)).toBeNull();
  const same = () => ({ months: [month(7, { 3: 10 })], sessions: [{ day: 5, digest: 'a' }] });
  expect(compareCanonicalValues(same(), same())).toBeNull();
});

test('leaves out opt-in metrics and their days', () => {
  const flow = findMetric('menstrual_flow')!.no;
  const after = canonicalLayer(month(7, { 9: 10 }), month(flow, { 3: 10 }));
  expect(compareCanonicalValues(nothing, canonicalLayer(month(flow, { 3: 10 })))).toBeNull();
  expect(compareCanonicalValues(nothing, after)).toEqual(change([7], '2026-03-09', '2026-03-09'));
});

test('reports a changed value or a changed device', () => {
  const before = canonicalLayer(month(7, { 3: 10, 4: 20 }), month(9, { 1: 1 }));
  expect(
    compareCanonicalValues(before, canonicalLayer(month(7, { 3: 10, 4: 21 }), month(9, { 1: 1 }))),
  ).toEqual(change([7], '2026-03-04', '2026-03-04'));
  expect(
    compareCanonicalValues(before, canonicalLayer(month(7, { 3: 10, 4: 20 }), month(9, { 1: 1 }, 2))),
  ).toEqual(change([9], '2026-03-01', '2026-03-01'));
});

test('reports added and removed months from the first to the last day', () => {
  const before = canonicalLayer(month(12, { 30: 1 }));
  const after = canonicalLayer(month(2, { 5: 1, 9: 1 }));
  expect(compareCanonicalValues(before, after)).toEqual(change([2, 12], '2026-03-05', '2026-03-30'));
});

test('reports sessions by their day, without a metric', () => {
  const with_ = (day: string, digest: string): CanonicalValues => ({
    months: [],
    sessions: [{ day: parseDay(day)!, digest }],
  });
  expect(compareCanonicalValues(with_('2026-03-07', 'a'), with_('2026-03-08', 'b'))).toEqual(
    change([], '2026-03-07', '2026-03-08'),
  );
  expect(compareCanonicalValues(with_('2026-03-07', 'a'), nothing)).toEqual(
    change([], '2026-03-07', '2026-03-07'),
  );
});
