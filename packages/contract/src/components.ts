import { Device, DeviceList } from './device.ts';
import { ErrorBody, FieldProblem } from './operation.ts';
import {
  CreateSdkSession,
  ExchangeClientToken,
  RefreshSdkCredentials,
  SdkBootstrap,
  SdkConfig,
  SdkCredentials,
  SdkSession,
  SdkSessionList,
} from './sdk-session.ts';
import { Description, Health, KeySet, Readiness } from './service.ts';
import { Batch, BatchAccepted, BatchReceipt, BatchRejection } from './sdk-batch.ts';
import { CreateMobileToken, CreateUserToken, Token } from './token.ts';
import {
  CreateUser,
  Profile,
  ProfileInput,
  Sync,
  UpdateUser,
  User,
  UserDeletion,
  UserDeletionEnvelope,
  UserDetail,
  UserEnvelope,
  UserList,
  UserPage,
} from './user.ts';

/** Every schema that others refer to by name, in the order of the description. */
export const components = [
  User,
  UserDetail,
  UserEnvelope,
  UserPage,
  UserList,
  CreateUser,
  UpdateUser,
  Profile,
  ProfileInput,
  Sync,
  UserDeletion,
  UserDeletionEnvelope,
  Device,
  DeviceList,
  CreateUserToken,
  CreateMobileToken,
  Token,
  CreateSdkSession,
  SdkBootstrap,
  SdkConfig,
  SdkSession,
  SdkSessionList,
  ExchangeClientToken,
  RefreshSdkCredentials,
  SdkCredentials,
  Batch,
  BatchAccepted,
  BatchReceipt,
  BatchRejection,
  KeySet,
  Health,
  Readiness,
  Description,
  FieldProblem,
  ErrorBody,
];
