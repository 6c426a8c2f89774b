import { ApiError, type ErrorCode } from '@tributary/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorObject } from 'ajv';
import { toApiError } from './validation.ts';

/**
 * PostgreSQL's temporary error codes: shutting down, starting up, too many connections, statement timeout, read-only. A connection that is not isolated
 * is not used until the operator repairs it.
 */
const unavailableCodes = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '25P03',
  '25006',
  'database_boundary',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The challenge of RFC 6750 that belongs to a rejected credential. The dashboard's sign-in has none. */
const challenges: Partial<Record<ErrorCode, string>> = {
  missing_token: 'Bearer realm="tributary"',
  invalid_token: 'Bearer realm="tributary", error="invalid_token"',
  token_expired: 'Bearer realm="tributary", error="invalid_token", error_description="The token has expired"',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code for a body that is not JSON or has the wrong shape. Default `invalid_request`. */
    bodyErrorCode?: ErrorCode;
  }
}

/** Renders every failure as `{error, message, details}`. Unknown failures are logged and become a 500 without details. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(reply, toClientError(error, request, reply), request.id),
  );
  app.setNotFoundHandler((request, reply) => sendError(reply, new ApiError('not_found'), request.id));
}

/** Converts a failure to the client's error. Logs failures that the operator has to fix. */
export function toClientError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ApiError {
  const apiError = withBodyCode(translate(error), request.routeOptions.config.bodyErrorCode);
  if (apiError.status >= 500) {
    request.log.error(
      { err: apiError.cause ?? error, requestId: request.id, route: request.routeOptions.url },
      apiError.code,
    );
  }
  // The framework would close the connection, and a client that is still sending would never see the reason.
  if (apiError.code === 'payload_too_large') reply.removeHeader('connection');
  const challenge = challenges[apiError.code];
  if (challenge) reply.header('WWW-Authenticate', challenge);
  if (apiError.retryAfterSeconds !== undefined) reply.header('Retry-After', apiError.retryAfterSeconds);
  return apiError;
}

function sendError(reply: FastifyReply, error: ApiError, requestId: string): FastifyReply {
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(renderError(error, requestId));
}

/** The body of an error response. */
export function renderError(error: ApiError, requestId: string): string {
  const details = { ...error.details, request_id: requestId };
  return JSON.stringify({ error: error.code, message: error.message, details });
}

/** Failures before routing: a path that cannot be decoded does not exist. */
export function frameworkError(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Request-Id', request.id);
  void sendError(reply, new ApiError('not_found'), request.id);
}

function translate(error: FastifyError & { validation?: unknown }): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation)
    return toApiError(error.validation as ErrorObject[], error.validationContext ?? 'request');
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return badBody('The content type is not supported. Send JSON with `Content-Type: application/json`.');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badBody('This endpoint requires a JSON body.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badBody('The length of the body does not match `Content-Length`.');
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

/** The error with the code that a route has for problems with its body. */
function withBodyCode(error: ApiError, code: ErrorCode | undefined): ApiError {
  const { fields = [] } = error.details as { fields?: { in: string }[] };
  if (!code || error.code !== 'invalid_request' || fields[0]?.in !== 'body') return error;
  return new ApiError(code, { message: error.message, details: error.details });
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
