import { expect, test } from 'vitest';
import { keepFaults, type FaultSwitch } from './faults.ts';
import { deriveVisibility } from './visibility.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const END = Date.parse('2026-05-01T07:00:00Z');
const document = (n: number) => ({ person: 'ada', kind: 'sleep', key: `${n}` });
const many = Array.from({ length: 5000 }, (_, n) => document(n));

function visibilityWith(seed: number, faults: FaultSwitch[] = []) {
  return deriveVisibility(
    seed,
    'tiny',
    keepFaults(seed, () => END, faults),
  );
}

test('shows a document once, some minutes after its end', () => {
  const { story, seenAt, longestMs } = visibilityWith(1);
  expect(longestMs()).toBe(20 * MINUTE);
  for (const one of many) {
    const revisions = story(one, END);
    expect(revisions.length).toBe(1);
    const { createdAt, updatedAt, revision } = revisions[0]!;
    expect(createdAt - END >= 2 * MINUTE && createdAt - END <= 20 * MINUTE).toBe(true);
    expect([updatedAt, revision]).toEqual([createdAt, 0]);
    expect(seenAt(createdAt - 1, one, END)).toBeNull();
    expect(seenAt(createdAt, one, END)).toEqual(revisions[0]);
  }
});

test('delays one in twenty by up to three days while that fault is on', () => {
  const { story } = visibilityWith(1, [{ kind: 'late', rate: 0.05 }]);
  const delays = many.map((one) => story(one, END)[0]!.createdAt - END);
  const late = delays.filter((delay) => delay > 20 * MINUTE);
  expect(late.length / many.length).toBeCloseTo(0.05, 1.7);
  expect(Math.max(...late)).toBeLessThanOrEqual(3 * DAY);
  expect(Math.max(...late)).toBeGreaterThan(2.5 * DAY);
});

test('revises one in ten once or twice, with each revision visible from its time on', () => {
  const { story, seenAt, longestMs } = visibilityWith(1, [
    { kind: 'revised', rate: 0.1 },
    { kind: 'late', rate: 0.5 },
  ]);
  const revised = many
    .map((one) => ({ one, revisions: story(one, END) }))
    .filter(({ revisions }) => revisions.length > 1);
  expect(revised.length / many.length).toBeCloseTo(0.1, 1.5);
  expect(new Set(revised.map(({ revisions }) => revisions.length))).toEqual(new Set([2, 3]));
  for (const { one, revisions } of revised)
    for (const seen of revisions) {
      expect(seenAt(seen.updatedAt, one, END)).toEqual(seen);
      if (seen.revision > 0) expect(seenAt(seen.updatedAt - 1, one, END)!.revision).toBe(seen.revision - 1);
      expect(seen.updatedAt - END).toBeLessThanOrEqual(longestMs());
    }
});

test('repeats the same history in the same lab, and another with another seed', () => {
  const faults: FaultSwitch[] = [
    { kind: 'late', rate: 0.5 },
    { kind: 'revised', rate: 0.5 },
  ];
  const stories = (seed: number) =>
    many.slice(0, 50).map((one) => visibilityWith(seed, faults).story(one, END));
  expect(stories(1)).toEqual(stories(1));
  expect(stories(2)).not.toEqual(stories(1));
  expect(visibilityWith(2).story(document(1), END)).not.toEqual(visibilityWith(1).story(document(1), END));
});

test('leaves documents that ended earlier unchanged by a later fault, and keeps its history after it is switched off', () => {
  let now = END;
  const faults = keepFaults(1, () => now, []);
  const { story } = deriveVisibility(1, 'tiny', faults);
  faults.on({ kind: 'revised', rate: 1 });
  now += DAY;
  faults.off();
  expect(story(document(1), END - 1).length).toBe(1);
  expect(story(document(1), END).length).toBeGreaterThan(1);
  expect(story(document(1), END + DAY).length).toBe(1);
});
