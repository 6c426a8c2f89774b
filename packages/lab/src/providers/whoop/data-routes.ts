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

type Asked = FastifyRequest<ById>;

/** Cycles, sleeps, recoveries and workouts. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  const base = '/developer/v2';
  const serve = (
    path: string,
    scope: string,
    tell: (asked: Asked, life: Life, grant: Grant) => object | null,
  ): void => {
    app.get<ById>(`${base}${path}`, (request: Asked, reply: FastifyReply) => {
      const { life, grant } = admit(frame, request, reply, scope);
      const told = tell(request, life, grant);
      if (!told) throw new WhoopRefusal(404, 'not_found', 'Record not found.');
      return reply.send(told);
    });
  };
  const nightOfCycle = (asked: Asked, life: Life): SeenSleep | null => {
    const date = dateOfCycle(life.person.id, Number(asked.params.id));
    const night = date === null ? undefined : nightOf(life, date);
    return night ? seeSleep(frame, life, night) : null;
  };
  const sleepById = ({ params: { id } }: Asked, life: Life): SeenSleep | null => {
    const date = dateOfId(life.person.id, 'sleep', id);
    const kept = date === null ? undefined : keepSleeps(life, date).find((one) => one.id === id);
    return kept ? seeSleep(frame, life, kept) : null;
  };
  const sleepsSeen = (life: Life, date: string): SeenSleep[] =>
    keepSleeps(life, date).flatMap((kept) => seeSleep(frame, life, kept) ?? []);

  serve('/cycle', 'read:cycles', (asked, life, { userId }) =>
    listRecords(frame, life, asked, (date) => {
      const record = cycleRecord(frame, life, date, userId);
      const night = nightOf(life, date);
      return record && night ? [{ at: night.sleep.start, record }] : [];
    }),
  );
  serve('/cycle/:id', 'read:cycles', (asked, life, { userId }) => {
    const date = dateOfCycle(life.person.id, Number(asked.params.id));
    return date === null ? null : cycleRecord(frame, life, date, userId);
  });
  serve('/cycle/:id/sleep', 'read:sleep', (asked, life, { userId }) => {
    const night = nightOfCycle(asked, life);
    return night && sleepRecord(night, userId, life);
  });
  serve('/cycle/:id/recovery', 'read:recovery', (asked, life, { userId }) => {
    const night = nightOfCycle(asked, life);
    return night && recoveryRecord(frame, life, night, userId);
  });

  serve('/activity/sleep', 'read:sleep', (asked, life, { userId }) =>
    listRecords(frame, life, asked, (date) =>
      sleepsSeen(life, date).map((seen) => ({
        at: seen.sleep.start,
        record: sleepRecord(seen, userId, life),
      })),
    ),
  );
  serve('/activity/sleep/:id', 'read:sleep', (asked, life, { userId }) => {
    const seen = sleepById(asked, life);
    return seen && sleepRecord(seen, userId, life);
  });
  serve('/activity/sleep/:id/stream', 'read:sleep', (asked, life) => {
    const seen = sleepById(asked, life);
    return seen && sleepStream(frame, life, seen, queryValue(asked, 'types'));
  });

  // A recovery has no times of its own, so it is sorted by the end of its sleep. It cannot be read by id.
  serve('/recovery', 'read:recovery', (asked, life, { userId }) =>
    listRecords(frame, life, asked, (date) =>
      sleepsSeen(life, date)
        .filter(({ sleep }) => sleep.isMain)
        .map((night) => ({ at: night.sleep.end, record: recoveryRecord(frame, life, night, userId) })),
    ),
  );

  serve('/activity/workout', 'read:workout', (asked, life, { userId }) =>
    listRecords(frame, life, asked, (date) =>
      keepWorkouts(life, date).flatMap((kept) => {
        const record = workoutRecord(frame, life, kept, userId);
        return record ? [{ at: kept.workout.start, record }] : [];
      }),
    ),
  );
  serve('/activity/workout/:id', 'read:workout', (asked, life, { userId }) => {
    const date = dateOfId(life.person.id, 'workout', asked.params.id);
    const kept =
      date === null ? undefined : keepWorkouts(life, date).find(({ id }) => id === asked.params.id);
    return kept ? workoutRecord(frame, life, kept, userId) : null;
  });
}
