export { ProviderFailure, type FailureKind } from './failure.ts';
export { hostsInLab } from './hosts.ts';
export { isSameSecret } from './is-same-secret.ts';
export { BatchBuilder } from './mapping/batch-builder.ts';
export { piecesOf } from './span.ts';
export { signatureToleranceMs } from './provider.ts';
export type {
  App,
  AppApi,
  Call,
  Documents,
  LimitRule,
  ListedStream,
  Notice,
  Provider,
  PushRequest,
  PushState,
  Span,
  Stream,
  Tokens,
  UserApi,
} from './provider.ts';
export { findProvider, providers } from './providers.ts';
export type { ProviderResponse } from './provider-response.ts';
