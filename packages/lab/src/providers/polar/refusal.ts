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

/** An answer other than the one that was asked for. The words of `errorType` are a reading. */
export class PolarRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Lets routes throw refusals. */
export function answerRefusals(app: FastifyInstance, now: () => number): void {
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
