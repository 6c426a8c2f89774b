export { actorTypes, type ActorType, type AuditEntryWire } from './resources/audit.ts';
export {
  methodDescriptions,
  type CatalogLevelWire,
  type CatalogMetricWire,
  type ConsolidationCatalogWire,
  type ConsolidationEntryWire,
} from './catalog.ts';
export { components } from './openapi/components.ts';
export type { ConsolidationConfigurationWire, ConsolidationPreviewWire } from './resources/consolidation.ts';
export { ApiError, errorTable, type ErrorCode, type ErrorDetails } from './errors.ts';
export {
  explanationLimits,
  type CandidateReason,
  type DailyCandidateWire,
  type DailyExplanationWire,
  type Exclusion,
  type ExplainedDeviceWire,
  type OverlappingSessionWire,
  type SessionReason,
  type SleepExplanationWire,
  type WorkoutExplanationWire,
} from './resources/explanation.ts';
export type { Operation } from './openapi/operation.ts';
export { webhooks } from './openapi/webhooks.ts';
export { missingReasons, type MissingReason, type SourceWire } from './resources/daily.ts';
export {
  deliveryStatuses,
  type AttemptWire,
  type DeliveryDetailWire,
  type DeliveryStatus,
  type DeliveryWire,
} from './resources/delivery.ts';
export {
  syncReasons,
  syncStates,
  type DeviceSyncWire,
  type DeviceWire,
  type SyncReason,
  type SyncState,
} from './resources/device.ts';
export type { ProviderWire } from './resources/provider.ts';
export { positionEvent, type EventWire } from './resources/event.ts';
export {
  auditActions,
  eventTypes,
  type AccessOutcome,
  type AuditAction,
  type CredentialType,
  type EventType,
} from './names.ts';
export type { AccessRecordWire } from './resources/access-record.ts';
export {
  userResponse,
  userDeletionResponse,
  userListResponse,
  type CreateUserWire,
  type ProfileInputWire,
  type ProfileWire,
  type UpdateUserWire,
  type UserDetailWire,
  type UserWire,
} from './resources/user.ts';
export type {
  CreateSdkSessionWire,
  SdkBootstrapWire,
  SdkCredentialsWire,
  SdkSessionWire,
} from './resources/sdk-session.ts';
export { scoreListResponse, type LatestScoreWire, type ScoreWire } from './resources/score.ts';
export type { ScoreExplanationWire } from './resources/score-explanation.ts';
export { sleepListResponse, type SleepListItemWire, type SleepSessionWire } from './resources/sleep.ts';
export {
  webhookLimits,
  type DisabledReason,
  type ListedWebhookWire,
  type Subscription,
  type WebhookStatus,
  type WebhookWire,
} from './resources/webhook.ts';
export {
  workoutListResponse,
  type WorkoutDetailWire,
  type WorkoutListItemWire,
  type WorkoutSessionWire,
} from './resources/workout.ts';
export {
  invitationDays,
  type InvitationStatus,
  type MailStatus,
  type MemberStatus,
  type RosterInvitationWire,
  type RosterMemberWire,
} from './resources/roster.ts';
export { advanceLimits, archetypes, type Archetype } from './resources/sandbox.ts';
export { defaultScopes, optInScopes, scopes, type Scope, type TokenWire } from './resources/token.ts';
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
} from './resources/sdk-batch.ts';
export * as operations from './operations/index.ts';
export * from './dashboard/index.ts';
