import type { FastifyInstance, FastifyReply } from 'fastify';

/** What was wrong with which field of what. The shape is documented; most of the words are a reading. */
interface Fault {
  resource: string;
  field: string;
  code: string;
}

/** An answer other than the one that was asked for. */
export class StravaRefusal extends Error {
  readonly status: number;
  readonly faults: Fault[];

  constructor(status: number, message: string, ...faults: Fault[]) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

/** A request that makes no sense. */
export function badRequest(resource: string, field: string, code = 'invalid'): StravaRefusal {
  return new StravaRefusal(400, 'Bad Request', { resource, field, code });
}

/** A client or a token that is not good. */
export function unauthorized(resource: string, field: string, code = 'invalid'): StravaRefusal {
  return new StravaRefusal(401, 'Authorization Error', { resource, field, code });
}

/** Something that is not there, or not for this app. */
export function notFound(resource: string): StravaRefusal {
  return new StravaRefusal(404, 'Record Not Found', { resource, field: 'id', code: 'not found' });
}

/** Lets routes throw refusals. */
export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply): FastifyReply => {
    const [status, errors] =
      error instanceof StravaRefusal ? [error.status, error.faults] : [error.statusCode ?? 500, []];
    return reply.code(status).send({ message: error.message, errors });
  });
}
