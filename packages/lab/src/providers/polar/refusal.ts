import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const words: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'too_many_requests',
};

/** An error response. The values of `errorType` are assumptions. */
export class PolarRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Lets routes throw errors as responses. */
export function handleRefusals(app: FastifyInstance, now: () => number): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error instanceof PolarRefusal ? error.status : (error.statusCode ?? 500);
    return reply.code(status).send({
      timestamp: new Date(now()).toISOString(),
      status,
      errorType: words[status] ?? 'server_error',
      message: error.message,
      corrId: randomUUID(),
    });
  });
}
