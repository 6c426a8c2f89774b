import type { FastifyInstance } from 'fastify';

/** An error response. The shape of its body is an assumption: a sentence in `detail`. */
export class OuraRefusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

/** Lets routes throw errors as responses. */
export function handleRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const [status, headers] =
      error instanceof OuraRefusal ? [error.status, error.headers] : [error.statusCode ?? 500, {}];
    return reply.code(status).headers(headers).send({ detail: error.message });
  });
}
