import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dateAt } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import type { Life } from '../life.ts';
import { admit, queryValue } from './admit.ts';
import { exerciseRecord, exercisesOn, seeExercise, type Exercise } from './exercise.ts';
import { PolarRefusal } from './refusal.ts';
import type { Registration, Registry } from './registry.ts';

interface ById {
  Params: { id: string };
}

const retentionMs = 30 * 86_400_000;

/** Exercises uploaded in the last thirty days and after the user was registered. Earlier ones are never returned. */
export function serveExercises(app: FastifyInstance, frame: Frame, registry: Registry): void {
  const visibleExercises = (life: Life, { at }: Registration): { exercise: Exercise; revision: number }[] => {
    const since = Math.max(at, frame.now() - retentionMs);
    const today = dateAt(life.person, frame.now());
    // An exercise may be uploaded days after it ended.
    return Array.from({ length: 35 }, (_, index) => addDays(today, index - 34))
      .flatMap((date) => exercisesOn(life, date))
      .flatMap((exercise) => {
        const seen = seeExercise(frame, life, exercise);
        return seen && seen.createdAt >= since ? [{ exercise, revision: seen.revision }] : [];
      });
  };
  const find = (request: FastifyRequest<ById>, reply: FastifyReply) => {
    const { life, registration } = admit(frame, registry, request, reply);
    const match = visibleExercises(life, registration).find(
      ({ exercise }) => exercise.id === request.params.id,
    );
    if (!match) throw new PolarRefusal(404, 'Exercise not found.');
    return { life, ...match };
  };

  app.get('/www/v3/exercises', (request, reply) => {
    const { life, registration } = admit(frame, registry, request, reply);
    return visibleExercises(life, registration).map(({ exercise, revision }) =>
      exerciseRecord(life, exercise, revision, wantedOf(request)),
    );
  });
  app.get<ById>('/www/v3/exercises/:id', (request, reply) => {
    const { life, exercise, revision } = find(request, reply);
    return exerciseRecord(life, exercise, revision, wantedOf(request));
  });
  // The lab records no tracks, so there are no files.
  for (const format of ['fit', 'tcx', 'gpx'])
    app.get<ById>(`/www/v3/exercises/:id/${format}`, (request, reply) => {
      find(request, reply);
      return reply.code(204).send();
    });
}

function wantedOf(request: FastifyRequest): { samples: boolean; zones: boolean } {
  return {
    samples: queryValue(request, 'samples') === 'true',
    zones: queryValue(request, 'zones') === 'true',
  };
}
