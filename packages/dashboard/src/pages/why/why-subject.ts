import { dailyExplanationQuery, sleepExplanationQuery, workoutExplanationQuery } from '../../api/explain.ts';
import { scoreExplanationQuery, type Whose } from '../../api/health.ts';
import type { QueryClient } from '@tanstack/react-query';

/** The value to explain. */
export type WhySubject =
  | { kind: 'daily'; metric: string; date: string }
  | { kind: 'score'; type: string; date: string }
  | { kind: 'sleep'; id: string }
  | { kind: 'workout'; id: string };

/** Its form in the URL: "daily.steps.2026-11-13". */
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

/** Null if the text is invalid. */
export function subjectOf(word: string | undefined): WhySubject | null {
  const [kind, name, date] = word?.split('.') ?? [];
  if (!name) return null;
  if (kind === 'sleep' || kind === 'workout') return { kind, id: name };
  if (date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  if (kind === 'daily') return { kind, metric: name, date };
  return kind === 'score' ? { kind, type: name, date } : null;
}

/** Prefetches the explanation when a value is hovered or focused. */
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
