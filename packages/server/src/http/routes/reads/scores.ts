import { operations, scoreListResponse } from '@tributary/contract';
import { parseDay, scoreTypes, type DayNumber, type ScoreType } from '@tributary/domain';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../../context.ts';
import { readDaily } from '../../../services/daily/read-daily.ts';
import { readSourcedDaily } from '../../../services/daily/read-sourced-daily.ts';
import { readCurrentScores } from '../../../services/scores/read-current-scores.ts';
import { readScoreExplanation } from '../../../services/scores/read-score-explanation.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { respondIfUnchanged, etagOf } from '../../caching/conditional.ts';
import { chooseDays } from '../../parameters/day-choice.ts';
import { invalid, readDays } from '../../parameters/date-range.ts';
import { sendAs } from '../../parameters/install-forms.ts';
import { readScoreTypes } from '../../parameters/metric-list.ts';
import { printScoreColumns, printScoreHistory } from '../../wire/score-text.ts';
import { userIdOf } from '../../parameters/user-id.ts';
import { toScoreExplanationWire, toScoreWire } from '../../wire/scores.ts';

const longestRange = 366;

export function registerScoreRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/scores', { schema: operations.listScores }, async (request, reply) => {
    const { tenant } = callerOf(request);
    const { include_sources: includeSources = false } = request.query;
    const metrics = request.form === 2 ? readScoreTypes(request.query.types, 2) : [];
    // Form 1 has no dates; its last day is today, the same default as in Form 2.
    const requestedDays = readDays(request.query, 2, longestRange);
    const userId = userIdOf(request.params.id);
    const choice = await chooseDays(ctx, request, userId, requestedDays);
    const etagFor = (user: ReadUser) => etagOf(request, user, choice.resolve(user).to);
    keepForMinutes(reply);
    if (await respondIfUnchanged(ctx, request, reply, userId, etagFor)) return reply;

    if (request.form === 1) {
      const { user, scores } = await readCurrentScores(ctx, tenant, userId, choice);
      return sendAs(reply.header('ETag', etagFor(user)), scoreListResponse.form1, {
        data: scores.map((score) => toScoreWire(score, includeSources)),
      });
    }
    const daily = await readDaily(ctx, tenant, userId, metrics, choice);
    void reply.header('ETag', etagFor(daily.user)).type('application/json; charset=utf-8');
    return reply.send(printScoreColumns(metrics, daily, includeSources));
  });

  app.get('/v1/users/:id/scores/history', { schema: operations.listScoreHistory }, async (request, reply) => {
    const metrics = readScoreTypes(request.query.types, 1);
    const requestedDays = readDays(request.query, 1, longestRange);
    const userId = userIdOf(request.params.id);
    const choice = await chooseDays(ctx, request, userId, requestedDays);
    const etagFor = (user: ReadUser) => etagOf(request, user, choice.resolve(user).to);
    keepForMinutes(reply);
    if (await respondIfUnchanged(ctx, request, reply, userId, etagFor)) return reply;
    const read = [ctx, callerOf(request).tenant, userId, metrics, choice] as const;
    const explained = request.query.include_missing ? await readSourcedDaily(...read, 'metric') : null;
    const daily = explained ?? (await readDaily(...read));
    void reply.header('ETag', etagFor(daily.user)).type('application/json; charset=utf-8');
    return reply.send(printScoreHistory(metrics, daily, explained && explained.reasons));
  });

  // A response without scores also depends on the time, so its tag is derived from the content.
  app.get('/v1/users/:id/scores/explain', { schema: operations.explainScore }, async (request) => {
    const query = { type: readType(request.query.type), day: readDate(request.query.date) };
    const { tenant } = callerOf(request);
    const explanation = await readScoreExplanation(ctx, tenant, userIdOf(request.params.id), query);
    return toScoreExplanationWire(explanation);
  });
}

/** Scores change a few times a day at most. */
function keepForMinutes(reply: FastifyReply): void {
  void reply.header('Cache-Control', 'private, max-age=300');
}

function readType(id: string): ScoreType {
  const type = scoreTypes.find((known) => known === id);
  return type ?? refuse('type', `must be one of ${scoreTypes.join(', ')}`);
}

function readDate(text: string): DayNumber {
  return parseDay(text) ?? refuse('date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200');
}

function refuse(name: string, problem: string): never {
  throw invalid(name, problem);
}
