export { ApiError, errorTable, type ErrorCode, type ErrorDetails } from './errors.ts';
export { ErrorBody, type Operation } from './operation.ts';
export { Device, type DeviceWire } from './device.ts';
export {
  Profile,
  User,
  UserDeletion,
  UserDetail,
  type CreateUserWire,
  type ProfileInputWire,
  type ProfileWire,
  type UpdateUserWire,
  type UserDetailWire,
  type UserWire,
} from './user.ts';
export { scopes, Token, type Scope, type TokenWire } from './token.ts';
export * as operations from './operations/index.ts';
