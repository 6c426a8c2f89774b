import { queryOptions } from '@tanstack/react-query';
import type {
  ConsolidationPreviewWire,
  DailyExplanationWire,
  SleepExplanationWire,
  WorkoutExplanationWire,
} from '@tributary/contract';
import type { Whose } from './health.ts';
import { callPublic, userPath } from './client/public.ts';

const keyOf = ({ environment, userId }: Whose, ...more: string[]) => [
  'user',
  environment,
  userId,
  'explain',
  ...more,
];

export const dailyExplanationQuery = (whose: Whose, metric: string, date: string) =>
  queryOptions({
    queryKey: keyOf(whose, 'daily', metric, date),
    queryFn: ({ signal }) =>
      callPublic<DailyExplanationWire>(whose.environment, 'GET', `${userPath(whose.userId)}/daily/explain`, {
        query: { metric, date },
        signal,
      }),
  });

export const sleepExplanationQuery = (whose: Whose, id: string) =>
  queryOptions({
    queryKey: keyOf(whose, 'sleep', id),
    queryFn: ({ signal }) =>
      callPublic<SleepExplanationWire>(
        whose.environment,
        'GET',
        `${userPath(whose.userId)}/sleep/${encodeURIComponent(id)}/explain`,
        { signal },
      ),
  });

export const workoutExplanationQuery = (whose: Whose, id: string) =>
  queryOptions({
    queryKey: keyOf(whose, 'workout', id),
    queryFn: ({ signal }) =>
      callPublic<WorkoutExplanationWire>(
        whose.environment,
        'GET',
        `${userPath(whose.userId)}/workouts/${encodeURIComponent(id)}/explain`,
        { signal },
      ),
  });

/** Previews one day with another method. Nothing is stored. */
export const whatIfQuery = (
  whose: Whose,
  { key, method, metric, date }: { key: string; method: string; metric: string; date: string },
) =>
  queryOptions({
    queryKey: keyOf(whose, 'what-if', key, method, metric, date),
    queryFn: async ({ signal }) => {
      const { metrics } = await callPublic<ConsolidationPreviewWire>(
        whose.environment,
        'POST',
        `${userPath(whose.userId)}/consolidation/preview`,
        {
          query: { from_date: date, to_date: date },
          body: { metrics: { [key]: { method } } },
          signal,
        },
      );
      return metrics.find((one) => one.metric === metric)?.changes.find((one) => one.date === date) ?? null;
    },
  });
