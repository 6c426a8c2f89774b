import type { FastifyInstance, FastifyReply } from 'fastify';

/** The invalid field of a resource, and the error. The shape is documented, but most of the codes are assumptions. */
interface Fault {
  resource: string;
  field: string;
  code: string;
}

/** An error response. */
export class StravaRefusal extends Error {
  readonly status: number;
  readonly faults: Fault[];

  constructor(status: number, message: string, ...faults: Fault[]) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

/** An invalid request. */
export function badRequest(resource: string, field: string, code = 'invalid'): StravaRefusal {
  return new StravaRefusal(400, 'Bad Request', { resource, field, code });
}

/** An invalid client or token. */
export function unauthorized(resource: string, field: string, code = 'invalid'): StravaRefusal {
  return new StravaRefusal(401, 'Authorization Error', { resource, field, code });
}

/** A resource that does not exist or is not accessible to this app. */
export function notFound(resource: string): StravaRefusal {
  return new StravaRefusal(404, 'Record Not Found', { resource, field: 'id', code: 'not found' });
}

/** Lets routes throw errors as responses. */
export function handleRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply): FastifyReply => {
    const [status, errors] =
      error instanceof StravaRefusal ? [error.status, error.faults] : [error.statusCode ?? 500, []];
    return reply.code(status).send({ message: error.message, errors });
  });
}
