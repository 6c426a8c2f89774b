import { expect, test } from 'vitest';
import { scoreScales as publishedScales } from '../../../../../domain/src/scores/publish/score-scales.ts';
import { bandOf, scaleOf, scoreScales } from './score-scales.ts';

test('uses the same band names as the service', () => {
  const shown = scoreScales.map(({ type, bands }) => [
    type,
    bands.map(({ from, label }) => [from, label.toLowerCase()]),
  ]);
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(Object.entries(publishedScales).map(([type, { bands }]) => [type, bands])),
  );
});

test('a value is in the highest band it reaches', () => {
  const recovery = scaleOf('recovery_score')!;
  expect([33.9, 34, 66.9, 100].map((value) => bandOf(recovery, value))).toEqual([
    'Low',
    'Moderate',
    'Moderate',
    'High',
  ]);
});
