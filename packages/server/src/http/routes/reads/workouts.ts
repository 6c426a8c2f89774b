import { ApiError, operations, workoutListResponse } from '@tributary/contract';
import { formatDay } from '@tributary/domain';
import type { Context } from '../../../context.ts';
import { parseId } from '../../../ids.ts';
import { getWorkout } from '../../../services/workouts/get-workout.ts';
import { listWorkoutsByCursor } from '../../../services/workouts/list-workouts-by-cursor.ts';
import { listWorkoutsByPage } from '../../../services/workouts/list-workouts-by-page.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { respondIfUnchanged, etagOf } from '../../caching/conditional.ts';
import { isCurrent, sendNotModified } from '../../caching/etag.ts';
import { sendAs } from '../../parameters/install-forms.ts';
import { readPageRequest, readRange } from '../../parameters/session-pages.ts';
import { userIdOf } from '../../parameters/user-id.ts';
import { toWorkoutDetailWire, toWorkoutListItemWire, toWorkoutSessionWire } from '../../wire/sessions.ts';

export function registerWorkoutRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/workouts', { schema: operations.listWorkouts }, async (request, reply) => {
    const { tenant } = callerOf(request);
    if (request.form === 1) {
      const { unit_system: units = 'metric', include_sources: includeSources = false } = request.query;
      const { page = 1, per_page: perPage = 20 } = request.query;
      const range = readRange(request);
      const userId = userIdOf(request.params.id);
      const tagFor = (user: ReadUser) => etagOf(request, user, range.to);
      if (await respondIfUnchanged(ctx, request, reply, userId, tagFor)) return reply;
      const workoutPage = await listWorkoutsByPage(ctx, tenant, userId, { range, page, perPage });
      return sendAs(reply.header('ETag', tagFor(workoutPage.user)), workoutListResponse.form1, {
        data: workoutPage.workouts.map((workout) => toWorkoutSessionWire(workout, { units, includeSources })),
        meta: { page, per_page: perPage, total: workoutPage.total },
      });
    }
    const { userId, ...pageRequest } = readPageRequest(ctx, request, 'workouts');
    const tagFor = (user: ReadUser) => etagOf(request, user, pageRequest.rangeFor(user).to);
    if (await respondIfUnchanged(ctx, request, reply, userId, tagFor)) return reply;
    const { user, range, sessions, nextCursor } = await listWorkoutsByCursor(
      ctx,
      tenant,
      userId,
      pageRequest,
    );
    const view = { timezones: user.timezones, includeSources: pageRequest.page.includeSources };
    return sendAs(reply.header('ETag', tagFor(user)), workoutListResponse.form2, {
      from_date: formatDay(range.from),
      to_date: formatDay(range.to),
      data: sessions.map((workout) => toWorkoutListItemWire(workout, view)),
      next_cursor: nextCursor,
    });
  });

  app.get('/v1/users/:id/workouts/:workout_id', { schema: operations.getWorkout }, async (request, reply) => {
    const userId = userIdOf(request.params.id);
    const id = parseId('wko', request.params.workout_id);
    if (!id) throw new ApiError('workout_not_found');
    const { user, workout } = await getWorkout(ctx, callerOf(request).tenant, userId, id);
    // Compared after the read, because a missing workout must return 404 whatever tag the client has.
    request.readDays = { from: workout.day, to: workout.day };
    const etag = etagOf(request, user, workout.day);
    if (isCurrent(request, etag)) return sendNotModified(reply, etag);
    return reply.header('ETag', etag).send(toWorkoutDetailWire(workout, user.timezones));
  });
}
