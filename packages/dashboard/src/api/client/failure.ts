/** A failed request, with the server's error. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  /** Seconds to wait before retrying. */
  readonly retryAfterSeconds: number | null;

  constructor(fields: {
    status: number;
    code: string;
    message: string;
    details?: Record<string, unknown> | undefined;
    requestId?: string | null;
    retryAfterSeconds?: number | null;
    cause?: unknown;
  }) {
    super(fields.message, { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? {};
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

export function isFailure(error: unknown, status: number): error is ApiFailure {
  return error instanceof ApiFailure && error.status === status;
}

/** Returns whether a request failed because the session ended, as opposed to a wrong password or code. */
export function isSignedOut(error: unknown): boolean {
  return isFailure(error, 401) && error.code !== 'wrong_sign_in' && error.code !== 'wrong_code';
}

/** Returns whether a session ended because no one used it. */
function isIdle(error: unknown): boolean {
  return isSignedOut(error) && error instanceof ApiFailure && error.details['reason'] === 'idle';
}

/** Returns whether a request failed because the dashboard user has to add an authenticator first. */
export function needsAuthenticator(error: unknown): boolean {
  return isFailure(error, 403) && error.code === 'authenticator_required';
}

/** Returns a message for any error. */
export function failureMessage(error: unknown): string {
  return error instanceof ApiFailure ? error.message : 'Something went wrong on this page. Reload it.';
}

/** Why the page to sign in appears, for its address. */
export function reasonOf(error: unknown): { reason?: 'idle' } {
  return isIdle(error) ? { reason: 'idle' } : {};
}
