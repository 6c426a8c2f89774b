import { describe, expect, test } from 'vitest';
import {
  addProgress,
  formatProgress,
  hasRead,
  parseProgress,
  type PollProgress,
  type StreamProgress,
} from './poll-progress.ts';

const shortSleep = { stream: 'sleep', depth: 'short' } as const;
const deepSleep = { stream: 'sleep', depth: 'deep' } as const;
const deepHeartRate = { stream: 'heart-rate', depth: 'deep' } as const;

describe('progress', () => {
  test('contains the parts that were added, for their stream and depth', () => {
    const progress = addProgress(addProgress([], { ...deepSleep, parts: [4] }), { ...deepSleep, parts: [3] });
    expect(progress).toEqual([{ ...deepSleep, parts: [4, 3] }]);
    expect(hasRead(progress, deepSleep, 3)).toBe(true);
    expect(hasRead(progress, deepSleep, 5)).toBe(false);
    expect(hasRead(progress, deepSleep, 'all')).toBe(false);
    expect(hasRead(progress, shortSleep, 3)).toBe(false);
    expect(hasRead(progress, deepHeartRate, 3)).toBe(false);
  });

  test('contains every part of a stream that is done', () => {
    const started = addProgress([], { ...deepSleep, parts: [4] });
    const done = addProgress(started, { ...deepSleep, parts: 'all' });
    expect(done).toEqual([{ ...deepSleep, parts: 'all' }]);
    expect(addProgress(done, { ...deepSleep, parts: [3] })).toEqual(done);
    expect(hasRead(done, deepSleep, 'all')).toBe(true);
    expect(hasRead(done, deepSleep, 3)).toBe(true);
    expect(hasRead(done, shortSleep, 'all')).toBe(false);
  });
});

describe('stored progress', () => {
  const progress: PollProgress = [
    { ...shortSleep, parts: 'all' },
    { ...deepSleep, parts: [10_271, 10_270] },
    { ...deepHeartRate, parts: [0] },
  ];

  test('is parsed as it was formatted', () => {
    expect(parseProgress(formatProgress(progress))).toEqual(progress);
  });

  test.each<[string, StreamProgress]>([
    ['sleep', { ...shortSleep, parts: 'all' }],
    ['deep sleep', { ...deepSleep, parts: 'all' }],
    ['sleep@10271', { ...shortSleep, parts: [10_271] }],
    ['deep sleep@10271', { ...deepSleep, parts: [10_271] }],
    ['deep heart-rate@', { ...deepHeartRate, parts: [0] }],
    ['sleep@-1', { ...shortSleep, parts: [-1] }],
  ])('of version 0.1 is parsed: %s', (element, expected) => {
    expect(parseProgress([element])).toEqual([expected]);
  });

  test('of both versions is merged', () => {
    const stored = [
      ...formatProgress(progress),
      'deep sleep@10269',
      'deep heart-rate@',
      'deep heart-rate',
      'workout',
    ];
    expect(parseProgress(stored)).toEqual([
      { ...shortSleep, parts: 'all' },
      { ...deepSleep, parts: [10_271, 10_270, 10_269] },
      { ...deepHeartRate, parts: 'all' },
      { stream: 'workout', depth: 'short', parts: 'all' },
    ]);
  });

  test.each([
    '',
    '@',
    '@3',
    'deep ',
    'deeper sleep',
    'sleep@3@4',
    'sleep@x',
    'sleep@-',
    '{',
    '{}',
    '{"stream":"sleep"}',
    '{"stream":"sleep","depth":"deep"}',
    '{"stream":7,"depth":"deep","parts":"all"}',
    '{"stream":"sleep","depth":"deepest","parts":"all"}',
    '{"stream":"sleep","depth":"deep","parts":"some"}',
    '{"stream":"sleep","depth":"deep","parts":["3"]}',
    '{"stream":"sleep","depth":"deep","parts":[0.5]}',
  ])('that is unknown is ignored: %s', (element) => {
    expect(parseProgress([element, 'workout'])).toEqual([
      { stream: 'workout', depth: 'short', parts: 'all' },
    ]);
  });
});

/** The rules of version 0.1, which may run next to this version during an upgrade. */
const previousVersion = {
  hasRead: (polled: readonly string[], name: string) => polled.includes(name),
  finish: (polled: readonly string[], name: string) => [
    ...polled.filter((part) => part.split('@')[0] !== name),
    name,
  ],
};

describe('a node of version 0.1', () => {
  const progress: PollProgress = [
    { ...deepSleep, parts: 'all' },
    { ...deepHeartRate, parts: [10_271] },
  ];
  const stored = formatProgress(progress);

  test('reads again what this version has read', () => {
    for (const name of [
      'deep sleep',
      'sleep',
      'deep heart-rate',
      'deep heart-rate@10271',
      'deep heart-rate@',
    ])
      expect(previousVersion.hasRead(stored, name), name).toBe(false);
  });

  test('preserves the progress of this version and adds its own', () => {
    const next = previousVersion.finish([...stored, 'deep heart-rate@10270', 'workout@'], 'workout');
    expect(parseProgress(next)).toEqual([
      { ...deepSleep, parts: 'all' },
      { ...deepHeartRate, parts: [10_271, 10_270] },
      { stream: 'workout', depth: 'short', parts: 'all' },
    ]);
  });
});
