import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveredMs, covers, union, type Span } from './spans.ts';

const anySpans = fc.array(
  fc
    .tuple(fc.nat(100), fc.integer({ min: 1, max: 20 }))
    .map(([startMs, length]): Span => ({ startMs, endMs: startMs + length })),
);

function isWithin(spans: readonly Span[], momentMs: number): boolean {
  return spans.some(({ startMs, endMs }) => startMs <= momentMs && momentMs < endMs);
}

test('joins spans that touch or overlap', () => {
  const spans = [
    { startMs: 5, endMs: 10 },
    { startMs: 20, endMs: 30 },
    { startMs: 0, endMs: 5 },
    { startMs: 22, endMs: 25 },
  ];
  expect(union(spans)).toEqual([
    { startMs: 0, endMs: 10 },
    { startMs: 20, endMs: 30 },
  ]);
});

test('covers the same moments as the spans, and as much time', () => {
  fc.assert(
    fc.property(anySpans, fc.nat(120), fc.nat(120), (spans, a, b) => {
      const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)];
      const joined = union(spans);
      const moments = Array.from({ length: 130 }, (_, moment) => moment);
      for (const moment of moments) expect(covers(joined, moment)).toBe(isWithin(spans, moment));
      const inside = moments.filter((one) => one >= fromMs && one < toMs && isWithin(spans, one));
      expect(coveredMs(spans, fromMs, toMs)).toBe(inside.length);
      expect(coveredMs(spans)).toBe(moments.filter((one) => isWithin(spans, one)).length);
    }),
    { numRuns: 300 },
  );
});
