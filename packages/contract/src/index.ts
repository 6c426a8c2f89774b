export { components } from './components.ts';
export { ApiError, errorTable, type ErrorCode, type ErrorDetails } from './errors.ts';
export type { Operation } from './operation.ts';
export type { DeviceWire } from './device.ts';
export {
  userAnswer,
  userDeletionAnswer,
  userListAnswer,
  type CreateUserWire,
  type ProfileInputWire,
  type ProfileWire,
  type UpdateUserWire,
  type UserDetailWire,
  type UserWire,
} from './user.ts';
export type {
  CreateSdkSessionWire,
  SdkBootstrapWire,
  SdkCredentialsWire,
  SdkSessionWire,
} from './sdk-session.ts';
export { scopes, type Scope, type TokenWire } from './token.ts';
export {
  batchLimits,
  batchLists,
  deviceKinds,
  onDeviceProviders,
  rejectionCodes,
  type BatchList,
  type BatchReceiptWire,
  type BatchRejectionWire,
  type BatchWire,
  type DeviceKind,
  type RejectionCode,
} from './sdk-batch.ts';
export * as operations from './operations/index.ts';
