import { queryOptions } from '@tanstack/react-query';
import type {
  CatalogMetricWire,
  SampleColumnsWire,
  ScoreExplanationWire,
  SleepListItemWire,
  SourceWire,
  WorkoutDetailWire,
  WorkoutListItemWire,
} from '@tributary/contract';
import { call, type Environment } from './client/client.ts';
import { callPublic, userPath } from './client/public.ts';

/** Calendar days of the user, both inclusive. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The user and environment that data belongs to. */
export interface Whose {
  environment: Environment;
  userId: string;
}

export interface DailyResponse {
  dates: string[];
  series: Record<string, (number | null)[]>;
  units: Record<string, string>;
  sources?: Record<string, (SourceWire | null)[]>;
  contributors?: Record<string, (SourceWire[] | null)[]>;
  reasons?: Record<string, (string | null)[]>;
}

const keyOf = ({ environment, userId }: Whose, ...more: unknown[]) => ['user', environment, userId, ...more];

/** The metric catalog, which only changes with a release. */
export const metricsQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => {
      const { data } = await callPublic<{ data: CatalogMetricWire[] }>(environment, 'GET', '/metrics', {
        signal,
      });
      return new Map(data.map((metric) => [metric.id, metric]));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const dailyQuery = (whose: Whose, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: keyOf(whose, 'daily', from, to),
    queryFn: ({ signal }) =>
      callPublic<DailyResponse>(whose.environment, 'GET', `${userPath(whose.userId)}/daily`, {
        query: { from_date: from, to_date: to, include_sources: true, include_reasons: true },
        signal,
      }),
  });

export interface ScoreRow {
  date: string;
  type: string;
  value: number | null;
}

export const scoreHistoryQuery = (whose: Whose, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: keyOf(whose, 'scores', from, to),
    queryFn: ({ signal }) =>
      callPublic<{ data: ScoreRow[] }>(whose.environment, 'GET', `${userPath(whose.userId)}/scores/history`, {
        query: { start_date: from, end_date: to, include_missing: true },
        signal,
      }),
  });

export const scoreExplanationQuery = (whose: Whose, type: string, date: string) =>
  queryOptions({
    queryKey: keyOf(whose, 'explain', 'score', type, date),
    queryFn: ({ signal }) =>
      callPublic<ScoreExplanationWire>(whose.environment, 'GET', `${userPath(whose.userId)}/scores/explain`, {
        query: { type, date },
        signal,
      }),
  });

export const sleepQuery = (whose: Whose, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: keyOf(whose, 'sleep', from, to),
    queryFn: ({ signal }) =>
      callPublic<{ data: SleepListItemWire[] }>(whose.environment, 'GET', `${userPath(whose.userId)}/sleep`, {
        query: { from_date: from, to_date: to, limit: 100 },
        signal,
      }),
  });

export const workoutsQuery = (whose: Whose, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: keyOf(whose, 'workouts', from, to),
    queryFn: ({ signal }) =>
      callPublic<{ data: WorkoutListItemWire[]; next_cursor: string | null }>(
        whose.environment,
        'GET',
        `${userPath(whose.userId)}/workouts`,
        { query: { from_date: from, to_date: to, limit: 100 }, signal },
      ),
  });

export const workoutQuery = (whose: Whose, workoutId: string) =>
  queryOptions({
    queryKey: keyOf(whose, 'workouts', workoutId),
    queryFn: ({ signal }) =>
      callPublic<WorkoutDetailWire>(
        whose.environment,
        'GET',
        `${userPath(whose.userId)}/workouts/${encodeURIComponent(workoutId)}`,
        { signal },
      ),
  });

export const heartRateQuery = ({ environment, userId }: Whose, { from, to }: DaySpan) =>
  queryOptions({
    queryKey: keyOf({ environment, userId }, 'heart-rate', from, to),
    queryFn: ({ signal }) =>
      call<SampleColumnsWire>('GET', `/dashboard/api/users/${encodeURIComponent(userId)}/samples`, {
        query: { environment, metric: 'heart_rate', from, to },
        signal,
      }),
    staleTime: 60_000,
  });
