import { ApiError } from '@tributary/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorObject } from 'ajv';
import { toApiError } from './validation.ts';

/** PostgreSQL's codes for "not now": shutting down, starting, too many connections, cancelled by the statement's time limit. */
const unavailableCodes = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '25P03',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Renders every failure as `{error, message, details}`. What is unknown becomes 500, is logged, and shows nothing. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(reply, settleFailure(error, request, reply)),
  );
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ApiError('not_found')));
}

/** What a failure is to the client. What is ours to mend is logged. */
export function settleFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ApiError {
  const apiError = translate(error);
  if (apiError.status >= 500) {
    request.log.error(
      { err: apiError.cause ?? error, requestId: request.id, route: request.routeOptions.url },
      apiError.code,
    );
  }
  // The framework would close the connection, and a client that is cut off while it still sends never sees why.
  if (apiError.code === 'payload_too_large') reply.removeHeader('connection');
  if (apiError.retryAfterSeconds !== undefined) reply.header('Retry-After', apiError.retryAfterSeconds);
  return apiError;
}

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(renderError(error));
}

/** The body of an error answer. */
export function renderError(error: ApiError): string {
  return JSON.stringify({ error: error.code, message: error.message, details: error.details });
}

/** Failures before routing: a path that cannot be decoded is no address of ours. */
export function frameworkError(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Request-Id', request.id);
  void sendError(reply, new ApiError('not_found'));
}

function translate(error: FastifyError & { validation?: unknown }): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation)
    return toApiError(error.validation as ErrorObject[], error.validationContext ?? 'request');
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return badBody('Send the body as JSON, with Content-Type: application/json.');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badBody('A JSON body is required here.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badBody('The body does not have the length that Content-Length says.');
  }
  const isUnavailable =
    unavailableCodes.has(error.code) ||
    error.code?.startsWith('08') ||
    /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
      error.message,
    );
  if (isUnavailable) return unavailable(error);
  return new ApiError('internal_error', { cause: error });
}

export function badBody(problem: string): ApiError {
  return new ApiError('invalid_request', {
    message: problem,
    details: { fields: [{ in: 'body', name: '', problem }] },
  });
}

export function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', { retryAfterSeconds: 1, cause });
}
