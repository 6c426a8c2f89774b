import type { FastifyInstance, FastifyReply } from 'fastify';

const words: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** An error response. `reason` is its code, if it has one. */
export class GoogleRefusal extends Error {
  readonly status: number;
  readonly reason: string | undefined;

  constructor(status: number, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** Lets routes throw errors as responses. */
export function handleRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const [status, reason] =
      error instanceof GoogleRefusal ? [error.status, error.reason] : [error.statusCode ?? 500, undefined];
    return reply.code(status).send(bodyOf(status, error.message, reason));
  });
}

/** How Google's servers report an outage. */
export function sendUnavailable(reply: FastifyReply): FastifyReply {
  return reply.code(503).send(bodyOf(503, 'The service is currently unavailable.'));
}

function bodyOf(code: number, message: string, reason?: string): Record<string, unknown> {
  const details = reason && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'health.googleapis.com' },
  ];
  return { error: { code, message, status: words[code] ?? 'INTERNAL', ...(details && { details }) } };
}
