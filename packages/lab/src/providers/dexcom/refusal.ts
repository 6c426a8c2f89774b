import type { FastifyInstance } from 'fastify';

/** An error response. The shape of its body is an assumption. */
export class DexcomRefusal extends Error {
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
      error instanceof DexcomRefusal ? [error.status, error.word] : [error.statusCode ?? 500, 'server_error'];
    return reply.code(status).send({ error: word, message: error.message });
  });
}
