import { operations } from '@tributary/contract';
import { didYouMean, findMetric, metrics, parseDay, type DayNumber, type Metric } from '@tributary/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { parseId } from '../../../ids.ts';
import { explainDaily } from '../../../services/explain/explain-daily.ts';
import { explainSession, sessionNotFound } from '../../../services/explain/explain-session.ts';
import { readExplainedDay } from '../../../services/explain/read-explained-day.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { etagOf } from '../../caching/conditional.ts';
import { invalid } from '../../parameters/date-range.ts';
import { isCurrent, sendNotModified } from '../../caching/etag.ts';
import { userIdOf } from '../../parameters/user-id.ts';
import {
  toDailyExplanationWire,
  toSleepExplanationWire,
  toWorkoutExplanationWire,
} from '../../wire/explanations.ts';

export function registerExplainRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/daily/explain', { schema: operations.explainDaily }, async (request, reply) => {
    const query = { metric: readMetric(request.query.metric), day: readDate(request.query.date) };
    const { tenant } = callerOf(request);
    const explainedDay = await readExplainedDay(ctx, tenant, userIdOf(request.params.id), query);
    if (respondIfCurrent(request, reply, explainedDay.row, query.day)) return reply;
    return toDailyExplanationWire(await explainDaily(ctx, tenant, explainedDay));
  });

  app.get(
    '/v1/users/:id/sleep/:sleep_id/explain',
    { schema: operations.explainSleep },
    async (request, reply) => {
      const userId = userIdOf(request.params.id);
      const id = parseId('slp', request.params.sleep_id);
      if (!id) throw sessionNotFound('sleep');
      const sessionRef = { kind: 'sleep', id } as const;
      const explanation = await explainSession(ctx, callerOf(request).tenant, userId, sessionRef);
      if (respondIfCurrent(request, reply, explanation.user, explanation.session.day)) return reply;
      return toSleepExplanationWire(explanation);
    },
  );

  app.get(
    '/v1/users/:id/workouts/:workout_id/explain',
    { schema: operations.explainWorkout },
    async (request, reply) => {
      const userId = userIdOf(request.params.id);
      const id = parseId('wko', request.params.workout_id);
      if (!id) throw sessionNotFound('workout');
      const sessionRef = { kind: 'workout', id } as const;
      const explanation = await explainSession(ctx, callerOf(request).tenant, userId, sessionRef);
      if (respondIfCurrent(request, reply, explanation.user, explanation.session.day)) return reply;
      return toWorkoutExplanationWire(explanation);
    },
  );
}

/** Sets the tag and sends 304 when the client has the current response. */
function respondIfCurrent(
  request: FastifyRequest,
  reply: FastifyReply,
  user: ReadUser,
  day: DayNumber,
): boolean {
  request.readDays = { from: day, to: day };
  const etag = etagOf(request, user, day);
  if (isCurrent(request, etag)) {
    sendNotModified(reply, etag);
    return true;
  }
  void reply.header('ETag', etag);
  return false;
}

const dailyIds = metrics.filter(({ form2Surfaces }) => form2Surfaces.includes('daily')).map(({ id }) => id);

function readMetric(id: string): Metric {
  const metric = findMetric(id);
  if (!metric)
    throw invalid(
      'metric',
      `must be the id of a daily metric.${didYouMean(id, dailyIds)} List all metrics with \`GET /v1/metrics\``,
    );
  if (metric.kind === 'score')
    throw invalid('metric', 'must be the id of a daily metric. Scores are explained by their own factors');
  if (!metric.form2Surfaces.includes('daily'))
    throw invalid('metric', 'must be the id of a daily metric. Workout metrics have no daily value');
  return metric;
}

function readDate(text: string): DayNumber {
  const day = parseDay(text);
  if (day === null) throw invalid('date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200');
  return day;
}
