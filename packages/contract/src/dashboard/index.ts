export {
  operatorRoles,
  passwordLimits,
  signInOperations,
  type OperatorLinkWire,
  type OperatorRole,
  type OperatorSessionWire,
  type SignedInWire,
} from './sign-in.ts';
export { eventRowOperations, type EventRowsWire, type EventRowWire } from './events.ts';
export { keyOperations, type KeyRowWire } from './keys.ts';
export { teamOperations, type TeamInvitationWire, type TeamMemberWire } from './team.ts';
export { nameOperations, type OperatorNamesWire } from './names.ts';
export {
  overviewOperations,
  type NeedWire,
  type OverviewWire,
  type ProviderSummaryWire,
} from './overview.ts';
export { providerOperations, type ProviderRowsWire, type ProviderRowWire } from './providers.ts';
export { rosterMailOperations } from './roster.ts';
export { sampleOperations, type SampleColumnsWire } from './samples.ts';
export { settingsOperations, type AccountSettingsWire } from './settings.ts';
export {
  userRowOperations,
  type IdMatchWire,
  type UserFilter,
  type UserRowsWire,
  type UserRowWire,
} from './users.ts';
export { webhookHealthOperations, type WebhookHealthWire } from './webhooks.ts';
