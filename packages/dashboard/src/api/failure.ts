/** A call that did not do what was asked, with what the server said about it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  /** How long to wait before the same call may succeed. */
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

/** Whether a call found that the session has ended; a password or a code that is wrong is something else. */
export function isSignedOut(error: unknown): boolean {
  return isFailure(error, 401) && error.code !== 'wrong_sign_in' && error.code !== 'wrong_code';
}

/** What went wrong, whatever it was, for people. */
export function sayFailure(error: unknown): string {
  return error instanceof ApiFailure ? error.message : 'Something went wrong in this page. Load it again.';
}
