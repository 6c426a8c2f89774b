export {
  Tributary,
  TributaryUser,
  type Additions,
  type Api,
  type TributaryOptions,
  type TributaryUserOptions,
  type UserApi,
} from './client.ts';
export type { Call, ListCall, Page, Result } from './call.ts';
export type { FollowedEvent, FollowOptions } from './follow.ts';
export type { ClientOptions, Credential, Form, RequestOptions } from './options.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PayloadTooLargeError,
  PaymentRequiredError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TributaryError,
  UnexpectedResponseError,
  UnprocessableError,
} from './errors.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookProblem,
  type WebhookRequest,
} from './verify.ts';
export type { CodesByStatus, ErrorCode, OperationErrors } from './generated/errors.ts';
export type * from './generated/types.ts';
