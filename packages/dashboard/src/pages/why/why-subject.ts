import { dailyExplanationQuery, sleepExplanationQuery, workoutExplanationQuery } from '../../api/explain.ts';
import { scoreExplanationQuery, type Whose } from '../../api/health.ts';
import type { QueryClient } from '@tanstack/react-query';

/** What somebody wants explained. */
export type WhySubject =
  | { kind: 'daily'; metric: string; date: string }
  | { kind: 'score'; type: string; date: string }
  | { kind: 'sleep'; id: string }
  | { kind: 'workout'; id: string };

/** As an address carries it: "daily.steps.2026-11-13". */
export function wordOf(subject: WhySubject): string {
  switch (subject.kind) {
    case 'daily':
      return `daily.${subject.metric}.${subject.date}`;
    case 'score':
      return `score.${subject.type}.${subject.date}`;
    case 'sleep':
    case 'workout':
      return `${subject.kind}.${subject.id}`;
  }
}

/** Null for what is not such a word. */
export function subjectOf(word: string | undefined): WhySubject | null {
  const [kind, name, date] = word?.split('.') ?? [];
  if (!name) return null;
  if (kind === 'sleep' || kind === 'workout') return { kind, id: name };
  if (date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  if (kind === 'daily') return { kind, metric: name, date };
  return kind === 'score' ? { kind, type: name, date } : null;
}

/** Asks for the answer before it is wanted: a pointer or focus on a value says that it may be. */
export function prefetchWhy(client: QueryClient, whose: Whose, subject: WhySubject): void {
  switch (subject.kind) {
    case 'daily':
      return void client.prefetchQuery(dailyExplanationQuery(whose, subject.metric, subject.date));
    case 'score':
      return void client.prefetchQuery(scoreExplanationQuery(whose, subject.type, subject.date));
    case 'sleep':
      return void client.prefetchQuery(sleepExplanationQuery(whose, subject.id));
    case 'workout':
      return void client.prefetchQuery(workoutExplanationQuery(whose, subject.id));
  }
}
