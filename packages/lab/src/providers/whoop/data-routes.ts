import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { dateOfId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { admit, queryValue } from './admit.ts';
import { cycleRecord, nightOf } from './cycle.ts';
import { dateOfCycle } from './cycle-id.ts';
import { listRecords } from './listing.ts';
import { recoveryRecord } from './recovery.ts';
import { WhoopRefusal } from './refusal.ts';
import { keepSleeps, seeSleep, sleepRecord, type SeenSleep } from './sleep.ts';
import { sleepStream } from './sleep-stream.ts';
import { keepWorkouts, workoutRecord } from './workout.ts';

interface ById {
  Params: { id: string };
}

type RecordRequest = FastifyRequest<ById>;

/** Cycles, sleeps, recoveries and workouts. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  const base = '/developer/v2';
  const serve = (
    path: string,
    scope: string,
    buildBody: (request: RecordRequest, life: Life, grant: Grant) => object | null,
  ): void => {
    app.get<ById>(`${base}${path}`, (request: RecordRequest, reply: FastifyReply) => {
      const { life, grant } = admit(frame, request, reply, scope);
      const body = buildBody(request, life, grant);
      if (!body) throw new WhoopRefusal(404, 'not_found', 'Record not found.');
      return reply.send(body);
    });
  };
  const nightOfCycle = (request: RecordRequest, life: Life): SeenSleep | null => {
    const date = dateOfCycle(life.person.id, Number(request.params.id));
    const night = date === null ? undefined : nightOf(life, date);
    return night ? seeSleep(frame, life, night) : null;
  };
  const sleepById = ({ params: { id } }: RecordRequest, life: Life): SeenSleep | null => {
    const date = dateOfId(life.person.id, 'sleep', id);
    const entry = date === null ? undefined : keepSleeps(life, date).find((one) => one.id === id);
    return entry ? seeSleep(frame, life, entry) : null;
  };
  const sleepsSeen = (life: Life, date: string): SeenSleep[] =>
    keepSleeps(life, date).flatMap((entry) => seeSleep(frame, life, entry) ?? []);

  serve('/cycle', 'read:cycles', (request, life, { userId }) =>
    listRecords(frame, life, request, (date) => {
      const record = cycleRecord(frame, life, date, userId);
      const night = nightOf(life, date);
      return record && night ? [{ at: night.sleep.start, record }] : [];
    }),
  );
  serve('/cycle/:id', 'read:cycles', (request, life, { userId }) => {
    const date = dateOfCycle(life.person.id, Number(request.params.id));
    return date === null ? null : cycleRecord(frame, life, date, userId);
  });
  serve('/cycle/:id/sleep', 'read:sleep', (request, life, { userId }) => {
    const night = nightOfCycle(request, life);
    return night && sleepRecord(night, userId, life);
  });
  serve('/cycle/:id/recovery', 'read:recovery', (request, life, { userId }) => {
    const night = nightOfCycle(request, life);
    return night && recoveryRecord(frame, life, night, userId);
  });

  serve('/activity/sleep', 'read:sleep', (request, life, { userId }) =>
    listRecords(frame, life, request, (date) =>
      sleepsSeen(life, date).map((seen) => ({
        at: seen.sleep.start,
        record: sleepRecord(seen, userId, life),
      })),
    ),
  );
  serve('/activity/sleep/:id', 'read:sleep', (request, life, { userId }) => {
    const seen = sleepById(request, life);
    return seen && sleepRecord(seen, userId, life);
  });
  serve('/activity/sleep/:id/stream', 'read:sleep', (request, life) => {
    const seen = sleepById(request, life);
    return seen && sleepStream(frame, life, seen, queryValue(request, 'types'));
  });

  // A recovery has no times of its own, so it is sorted by the end of its sleep. It cannot be read by id.
  serve('/recovery', 'read:recovery', (request, life, { userId }) =>
    listRecords(frame, life, request, (date) =>
      sleepsSeen(life, date)
        .filter(({ sleep }) => sleep.isMain)
        .map((night) => ({ at: night.sleep.end, record: recoveryRecord(frame, life, night, userId) })),
    ),
  );

  serve('/activity/workout', 'read:workout', (request, life, { userId }) =>
    listRecords(frame, life, request, (date) =>
      keepWorkouts(life, date).flatMap((entry) => {
        const record = workoutRecord(frame, life, entry, userId);
        return record ? [{ at: entry.workout.start, record }] : [];
      }),
    ),
  );
  serve('/activity/workout/:id', 'read:workout', (request, life, { userId }) => {
    const date = dateOfId(life.person.id, 'workout', request.params.id);
    const entry =
      date === null ? undefined : keepWorkouts(life, date).find(({ id }) => id === request.params.id);
    return entry ? workoutRecord(frame, life, entry, userId) : null;
  });
}
