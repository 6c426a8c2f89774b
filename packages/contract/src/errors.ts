/** Every error the API can answer with: its status and the default message, which says how to mend it. */
export const errorTable = {
  invalid_request: {
    status: 400,
    message: 'A parameter is missing or invalid. `details` names each one and what it must be.',
  },
  invalid_body: {
    status: 400,
    message:
      'The body does not have the shape of consolidation settings. `details` names what is wrong and what it must be.',
  },
  mixed_forms: {
    status: 400,
    message:
      'The request mixes fields of Form 1 and Form 2, or uses fields of the form that `API-Form` did not choose. Use the fields of one form; `details` lists those found.',
  },
  invalid_cursor: {
    status: 400,
    message:
      'The cursor is not one this endpoint issued, or it belongs to a list with other parameters. Send `next_cursor` back unchanged, with unchanged parameters, or start again without a cursor.',
  },
  invalid_url: {
    status: 400,
    message:
      'The URL is not one that the service may send to. Use `https://` and a host of the public internet; `details` says what is wrong.',
  },
  unknown_provider: {
    status: 400,
    message: 'There is no provider of this name. `GET /v1/providers` lists those that can be connected.',
  },
  provider_unavailable: {
    status: 400,
    message:
      'This provider cannot be connected here yet: the operator has not registered an application with it (`tributary provider set`). `GET /v1/providers` lists those that can.',
  },
  use_mobile_sdk: {
    status: 400,
    message:
      "This provider lives on people's phones. Connect it with the Mobile SDK: `POST /v1/users/{id}/sdk-sessions`.",
  },
  redirect_url_not_allowed: {
    status: 400,
    message:
      'The `redirect_url` is not one that this account allows. Ask the operator to add it: `tributary account set --add-redirect-url`.',
  },
  missing_token: {
    status: 401,
    message: 'No credential was sent. Send `Authorization: Bearer <API_KEY>`.',
  },
  invalid_token: {
    status: 401,
    message:
      'The credential is malformed, unknown or revoked. Check that it was copied whole, or issue a new one.',
  },
  token_expired: {
    status: 401,
    message: 'The credential has expired. Issue a new one.',
  },
  payment_required: {
    status: 402,
    message:
      'The account is suspended or at the limit of its plan. Deleting still works; ask the operator to resume it.',
  },
  insufficient_scope: {
    status: 403,
    message: 'This credential may not perform this operation. Use an API key from your backend.',
  },
  wrong_user: {
    status: 403,
    message: 'This user token was issued for another user than the one in the path.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address. Check the method, the path and the ids in it.',
  },
  user_not_found: {
    status: 404,
    message:
      'This user does not exist in the environment of this credential. Check the id, and whether the key is a live or a sandbox key.',
  },
  workout_not_found: {
    status: 404,
    message: 'This user has no such workout. Take the id from the list of workouts of the same user.',
  },
  reference_id_taken: {
    status: 409,
    message:
      'Another user of this environment has this reference_id. Look that user up, or choose another one.',
  },
  idempotency_conflict: {
    status: 409,
    message:
      'This Idempotency-Key was used for another body in the last 24 hours. Use a fresh UUID for each new request.',
  },
  idempotency_in_progress: {
    status: 409,
    message:
      'A request with this Idempotency-Key is still running. Send it again after the seconds given in `Retry-After`.',
  },
  batch_conflict: {
    status: 409,
    message:
      'This batch_id was sent before with another body. Send a new upload under a new id, and a repeated one unchanged.',
  },
  webhook_limit_reached: {
    status: 409,
    message: 'This environment has as many webhooks as it may have. Remove one that is not needed any more.',
  },
  webhook_not_active: {
    status: 409,
    message: 'This webhook is not active, so nothing is sent to it. Set its `status` to `active` first.',
  },
  delivery_merged: {
    status: 409,
    message:
      'A later event of the same user tells this one too. Send the delivery again that `details.merged_into` names.',
  },
  already_invited: {
    status: 409,
    message:
      'This person has an invitation that can still be answered. Wait for the answer, or revoke it first.',
  },
  already_member: {
    status: 409,
    message: 'This person, or this user, is a member of the roster already. Look the member up in the list.',
  },
  roster_not_configured: {
    status: 409,
    message:
      'Nobody can be invited yet: `details.missing` names what the operator has to set, the name of the organization (`tributary account set --organization`) or the sender of mail (SMTP_URL and MAIL_FROM).',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than this endpoint accepts. Send less at once.',
  },
  invalid_filter: {
    status: 422,
    message: 'A filter is empty. Leave it out, or give it at least one character.',
  },
  invalid_types: {
    status: 422,
    message:
      'The list of types is empty or names something that this endpoint does not have. `details` names the offenders; `GET /v1/metrics` lists what there is.',
  },
  invalid_metric: {
    status: 422,
    message:
      'A key is not in the consolidation catalog. `details` names each one, and the group through which it is set where it has one.',
  },
  invalid_method: {
    status: 422,
    message: 'A method is not allowed for its metric. `details` names each one with the methods that are.',
  },
  invalid_provider: {
    status: 422,
    message:
      'A provider is not connected to this user. `details` names each one, and those that are connected.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Wait for the seconds given in `Retry-After`, then go on more slowly.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Try again; if it stays, report the Request-Id.',
  },
  unavailable: {
    status: 503,
    message:
      'The service is busy or not reachable right now. Try again after the seconds given in `Retry-After`.',
  },
  // What follows only the dashboard is told.
  signed_out: {
    status: 401,
    message: 'You are signed out. Sign in again.',
  },
  wrong_sign_in: {
    status: 401,
    message: 'Address and password do not belong together. Try again, or ask for a new password.',
  },
  wrong_code: {
    status: 401,
    message:
      'This code is wrong, too old or was used before. Wait for the next one, or use one of your backup codes.',
  },
  role_too_low: {
    status: 403,
    message: 'Your role does not allow this. Ask an owner of the account.',
  },
  foreign_origin: {
    status: 403,
    message: 'This call did not come from the dashboard.',
  },
  link_ended: {
    status: 404,
    message: 'This link was used, was replaced by a newer one, or has ended. Ask for a new one.',
  },
  last_owner: {
    status: 409,
    message: 'An account needs an owner. Make somebody else an owner first.',
  },
  operator_exists: {
    status: 409,
    message: 'Somebody signs in with this address already.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Extra facts of an error, as the client sees them. Never a secret, never a measured value. */
export type ErrorDetails = Record<string, unknown>;

/** The one currency for failures: thrown anywhere, rendered as `{error, message, details}` by one handler. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  /** Seconds for the `Retry-After` header, where waiting helps. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetails; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorTable[code].status;
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
