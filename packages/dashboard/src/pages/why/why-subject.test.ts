import { expect, test } from 'vitest';
import { subjectOf, wordOf, type WhySubject } from './why-subject.ts';

test('an explanation can be shared as a link', () => {
  const subjects: WhySubject[] = [
    { kind: 'daily', metric: 'steps', date: '2026-11-13' },
    { kind: 'score', type: 'recovery_score', date: '2026-11-13' },
    { kind: 'sleep', id: 'slp_01' },
    { kind: 'workout', id: 'wko_01' },
  ];
  for (const subject of subjects) expect(subjectOf(wordOf(subject))).toEqual(subject);
});

test('an invalid link explains nothing', () => {
  for (const word of [undefined, '', 'daily', 'daily.steps', 'daily.steps.13', 'other.steps.2026-11-13'])
    expect(subjectOf(word)).toBeNull();
});
