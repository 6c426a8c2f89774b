export { actorTypes, type ActorType, type AuditEntryWire } from './audit.ts';
export {
  methodDescriptions,
  type CatalogMetricWire,
  type ConsolidationCatalogWire,
  type ConsolidationEntryWire,
} from './catalog.ts';
export { components } from './components.ts';
export type { ConsolidationConfigurationWire, ConsolidationPreviewWire } from './consolidation.ts';
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
} from './explanation.ts';
export type { Operation } from './operation.ts';
export { missingReasons, type MissingReason, type SourceWire } from './daily.ts';
export {
  deliveryStatuses,
  type AttemptWire,
  type DeliveryDetailWire,
  type DeliveryStatus,
  type DeliveryWire,
} from './delivery.ts';
export {
  syncReasons,
  syncStates,
  type DeviceSyncWire,
  type DeviceWire,
  type SyncReason,
  type SyncState,
} from './device.ts';
export type { ProviderWire } from './provider.ts';
export { positionEvent, type EventWire } from './event.ts';
export { auditActions, eventTypes, type AuditAction, type EventType } from './names.ts';
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
export { scoreListAnswer, type LatestScoreWire, type ScoreWire } from './score.ts';
export type { ScoreExplanationWire } from './score-explanation.ts';
export { sleepListAnswer, type SleepListItemWire, type SleepSessionWire } from './sleep.ts';
export {
  webhookLimits,
  type DisabledReason,
  type ListedWebhookWire,
  type Subscription,
  type WebhookStatus,
  type WebhookWire,
} from './webhook.ts';
export {
  workoutListAnswer,
  type WorkoutDetailWire,
  type WorkoutListItemWire,
  type WorkoutSessionWire,
} from './workout.ts';
export {
  invitationDays,
  type InvitationStatus,
  type MailStatus,
  type MemberStatus,
  type RosterInvitationWire,
  type RosterMemberWire,
} from './roster.ts';
export { advanceLimits, archetypes, type Archetype } from './sandbox.ts';
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
export * from './dashboard/index.ts';
