import type { FastifyInstance } from 'fastify';

/** An error response. `deactivated_user` is a known code. The shape of the body and the other codes are assumptions. */
export class WhoopRefusal extends Error {
  readonly status: number;
  readonly word: string;

  constructor(status: number, word: string, message: string) {
    super(message);
    this.status = status;
    this.word = word;
  }
}

/** Lets routes throw errors as responses. */
export function handleRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const [status, word] =
      error instanceof WhoopRefusal ? [error.status, error.word] : [error.statusCode ?? 500, 'server_error'];
    return reply.code(status).send({ error: word, message: error.message });
  });
}
