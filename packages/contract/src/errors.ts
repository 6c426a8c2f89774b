/** Every error the API can return: its status and the default message, which says what is wrong and what to do. */
export const errorTable = {
  invalid_request: {
    status: 400,
    message: 'A parameter is missing or invalid. `details` lists each one and what it must be.',
  },
  invalid_body: {
    status: 400,
    message:
      'The body is not a valid consolidation settings object. `details` lists each invalid field and what it must be.',
  },
  mixed_forms: {
    status: 400,
    message:
      'The request mixes Form 1 and Form 2 fields, or uses fields of a form other than the one in `API-Form`. Use the fields of one form only. ' +
      '`details` lists the fields found.',
  },
  invalid_cursor: {
    status: 400,
    message:
      'This endpoint did not issue the cursor, or the other parameters have changed since it did. Send `next_cursor` back unchanged with the same ' +
      'parameters, or start over without a cursor.',
  },
  invalid_url: {
    status: 400,
    message:
      'The service cannot send to this URL. Use `https://` and a host on the public internet. `details` says what is wrong.',
  },
  too_many_days: {
    status: 400,
    message:
      'The items of the upload start on more different days than one upload may have. Split it by time into several uploads, each with its own ' +
      '`batch_id`. `details` has the number of days and the limit.',
  },
  unknown_provider: {
    status: 400,
    message: 'Unknown provider. List the providers you can connect with `GET /v1/providers`.',
  },
  provider_unavailable: {
    status: 400,
    message:
      'This provider cannot be connected yet because the operator has not registered an app with it (`tributary provider set`). List the providers ' +
      'you can connect with `GET /v1/providers`.',
  },
  use_mobile_sdk: {
    status: 400,
    message:
      "This provider's data is on the user's phone. Connect it with the Mobile SDK: `POST /v1/users/{id}/sdk-sessions`.",
  },
  redirect_url_not_allowed: {
    status: 400,
    message:
      'This account does not allow this `redirect_url`. Ask the operator to add it with `tributary account set --add-redirect-url`.',
  },
  missing_token: {
    status: 401,
    message: 'The request has no credential. Send `Authorization: Bearer <API_KEY>`.',
  },
  invalid_token: {
    status: 401,
    message:
      'The credential is malformed, unknown or revoked. Check that you copied all of it, or issue a new one.',
  },
  token_expired: {
    status: 401,
    message: 'The credential has expired. Issue a new one.',
  },
  payment_required: {
    status: 402,
    message:
      'The account is suspended or has reached the limit of its plan. Delete requests still work. Ask the operator to resume the account.',
  },
  insufficient_scope: {
    status: 403,
    message: 'This credential does not allow this operation. Use an API key from your backend.',
  },
  wrong_user: {
    status: 403,
    message:
      'This user token was issued for a different user than the one in the path. Issue a token for the user in the path.',
  },
  not_found: {
    status: 404,
    message: 'Nothing exists at this path. Check the path and the ids in it.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. The `Allow` header lists the methods that it supports.',
  },
  user_not_found: {
    status: 404,
    message:
      "This user does not exist in this credential's environment. Check the id, and check whether the key is a live or a sandbox key.",
  },
  workout_not_found: {
    status: 404,
    message: "This user has no workout with this id. Use an id from the same user's workout list.",
  },
  reference_id_taken: {
    status: 409,
    message:
      'Another user in this environment already has this `reference_id`. Find that user by its reference, or choose a different `reference_id`.',
  },
  idempotency_conflict: {
    status: 409,
    message:
      'This `Idempotency-Key` was used with a different body in the last 24 hours. Use a new UUID for each new request.',
  },
  idempotency_in_progress: {
    status: 409,
    message:
      'A request with this `Idempotency-Key` is still running. Retry after the number of seconds in `Retry-After`.',
  },
  batch_conflict: {
    status: 409,
    message:
      'This `batch_id` was already used with a different body. Send new data under a new id. Resend a batch only unchanged.',
  },
  device_limit_reached: {
    status: 409,
    message:
      'This user has reached the limit of devices. Send the same `device.id` for the lifetime of a device, or remove a device that is no longer ' +
      'used with `DELETE /v1/users/{id}/devices/{device_id}`.',
  },
  webhook_limit_reached: {
    status: 409,
    message: 'This environment has reached its webhook limit. Delete a webhook that you no longer need.',
  },
  webhook_not_active: {
    status: 409,
    message: 'This webhook is not active, so nothing is sent to it. Set its `status` to `active` first.',
  },
  delivery_merged: {
    status: 409,
    message: 'This event was merged into a later one. Resend the delivery in `details.merged_into` instead.',
  },
  already_invited: {
    status: 409,
    message:
      'This person already has a pending invitation. Wait for the reply, or revoke the invitation first.',
  },
  already_member: {
    status: 409,
    message: 'This person or user is already a roster member. Find the member in the roster list.',
  },
  roster_not_configured: {
    status: 409,
    message:
      'Invitations are not set up yet. `details.missing` lists what the operator must set: the organization name (`tributary account set ' +
      '--organization`) or the mail sender (`SMTP_URL` and `MAIL_FROM`).',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than this endpoint accepts. Send less data per request.',
  },
  invalid_filter: {
    status: 422,
    message: 'A filter is empty. Omit it, or give it at least one character.',
  },
  invalid_types: {
    status: 422,
    message:
      'The `types` list is empty or contains an ID that this endpoint does not support. `details` lists the unsupported IDs. List all metrics with `GET /v1/metrics`.',
  },
  invalid_metric: {
    status: 422,
    message:
      'A key is not in the consolidation catalog. `details` lists each such key and, if it belongs to a group, the group to set instead.',
  },
  invalid_method: {
    status: 422,
    message:
      'A method is not allowed for its metric. `details` lists each such metric with its allowed methods.',
  },
  invalid_provider: {
    status: 422,
    message:
      'A provider is not connected to this user. `details` lists each such provider, and the connected ones.',
  },
  rate_limited: {
    status: 429,
    message:
      'Too many requests. Wait for the number of seconds in `Retry-After`, then send requests more slowly.',
  },
  internal_error: {
    status: 500,
    message:
      'Internal error. Retry the request. If the error persists, report the `Request-Id` to the operator.',
  },
  unavailable: {
    status: 503,
    message:
      'The service is busy or temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
  },
  // Errors below are returned only to the dashboard.
  signed_out: {
    status: 401,
    message: 'You are signed out. Sign in again.',
  },
  wrong_sign_in: {
    status: 401,
    message: 'Incorrect email or password. Try again, or reset your password.',
  },
  wrong_code: {
    status: 401,
    message:
      'This code is incorrect, has expired or was already used. Wait for the next code, or use a backup code.',
  },
  authenticator_required: {
    status: 403,
    message: 'Your account requires an authenticator. Add one to your sign-in first.',
  },
  confirmation_required: {
    status: 403,
    message: 'Confirm that it is you: enter your password or a code from your authenticator.',
  },
  role_too_low: {
    status: 403,
    message: 'Your role does not allow this. Ask an account owner.',
  },
  foreign_origin: {
    status: 403,
    message:
      'This request did not come from the dashboard. Open the dashboard at its public URL and try again.',
  },
  link_ended: {
    status: 404,
    message: 'This link was already used, was replaced by a newer one, or has expired. Request a new one.',
  },
  last_owner: {
    status: 409,
    message: 'An account needs an owner. Make another colleague an owner first.',
  },
  too_many_invitations: {
    status: 409,
    message: 'This account has too many open invitations. Revoke some of them, or wait until they are used.',
  },
  operator_exists: {
    status: 409,
    message: 'This email address is already used to sign in. Use another address.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Additional facts about an error that the client can see. Never contains secrets or measured values. */
export type ErrorDetails = Record<string, unknown>;

/** The error class for all failures that clients see. One handler renders it as `{error, message, details}`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  /** Seconds for the `Retry-After` header, if a retry can succeed. */
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
