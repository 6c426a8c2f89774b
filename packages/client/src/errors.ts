import type { CodesByStatus, ErrorCode } from './generated/errors.ts';

/** Base class of every error that this package throws, except when you abort a request yourself. */
export class TributaryError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No complete response arrived. `cause` is the error of `fetch`. */
export class ConnectionError extends TributaryError {
  /** Number of requests that were sent. */
  attempts = 0;
}

/** No response arrived in time. */
export class TimeoutError extends ConnectionError {}

/** What an error response contained. */
export interface ErrorResponse {
  status: number;
  code: string;
  message: string;
  details: Record<string, unknown>;
  requestId: string | null;
  retryAfterMs: number | null;
}

/** The service rejected the request. Each family of status codes has its own class. */
export class ApiError extends TributaryError {
  readonly status: number;
  /** Stable, to branch on. A newer service may return a code that this version of the package does not list. */
  readonly code: ErrorCode | 'unexpected_response';
  readonly details: Record<string, unknown>;
  /** Include it when you report a problem. */
  readonly requestId: string | null;
  /** How long the service asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;
  /** Number of requests that were sent. */
  attempts = 0;

  constructor({ status, code, message, details, requestId, retryAfterMs }: ErrorResponse) {
    super(message);
    this.status = status;
    this.code = code as ErrorCode;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400: a parameter or the body is invalid. `details.fields` lists each problem. */
export class BadRequestError extends ApiError {
  declare readonly code: CodesByStatus[400];
}
/** 401: the credential is missing, invalid or expired. */
export class AuthenticationError extends ApiError {
  declare readonly code: CodesByStatus[401];
}
/** 402: the account is suspended or has reached the limit of its plan. */
export class PaymentRequiredError extends ApiError {
  declare readonly code: CodesByStatus[402];
}
/** 403: the credential does not allow the operation. */
export class PermissionError extends ApiError {
  declare readonly code: CodesByStatus[403];
}
/** 404: nothing exists at this path in the environment of the key. */
export class NotFoundError extends ApiError {
  declare readonly code: CodesByStatus[404];
}
/** 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  declare readonly code: CodesByStatus[409];
}
/** 413: the body is too large. */
export class PayloadTooLargeError extends ApiError {
  declare readonly code: CodesByStatus[413];
}
/** 422: the request is well-formed, but a value is not allowed here. */
export class UnprocessableError extends ApiError {
  declare readonly code: CodesByStatus[422];
}
/** 429: too many requests. */
export class RateLimitError extends ApiError {
  declare readonly code: CodesByStatus[429];
}
/** 500 and above: the service failed or is not available. */
export class ServerError extends ApiError {
  declare readonly code: CodesByStatus[500 | 503] | 'unexpected_response';
}
/** A response that the API does not define, such as the error page or redirect of a proxy. */
export class UnexpectedResponseError extends ApiError {
  declare readonly code: 'unexpected_response';
}

const classes = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  422: UnprocessableError,
  429: RateLimitError,
} as const;

/** The error for a response that is not a success. */
export function toApiError(status: number, headers: Headers, text: string): ApiError {
  const body = parseError(text);
  const error: ErrorResponse = {
    status,
    code: body?.error ?? 'unexpected_response',
    message: body?.message ?? `The response has status ${status} and no error of the API. Check \`baseUrl\`.`,
    details: body?.details ?? {},
    requestId: headers.get('request-id') ?? stringOr(body?.details['request_id'], null),
    retryAfterMs: parseRetryAfter(headers.get('retry-after')),
  };
  if (status >= 500) return new ServerError(error);
  const Family = body ? classes[status as keyof typeof classes] : undefined;
  return Family ? new Family(error) : body ? new ApiError(error) : new UnexpectedResponseError(error);
}

function parseError(
  text: string,
): { error: string; message: string; details: Record<string, unknown> } | null {
  try {
    const { error, message, details } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error !== 'string' || typeof message !== 'string') return null;
    return { error, message, details: (details ?? {}) as Record<string, unknown> };
  } catch {
    return null;
  }
}

function stringOr(value: unknown, otherwise: null): string | null {
  return typeof value === 'string' ? value : otherwise;
}

/** Seconds or a date, in milliseconds from now. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
