// Lists of names without schemas, so that the browser can import them without typebox.

/** Audited actions: the object, then the action. */
export const auditActions = [
  'account.created',
  'account.updated',
  'api_key.created',
  'api_key.revoked',
  'batch.replayed',
  'consolidation.reset',
  'consolidation.updated',
  'delivery.resent',
  'device.authorized',
  'device.connecting',
  'device.declined',
  'device.deleted',
  'device.expired',
  'mobile_token.created',
  'operator.authenticator_changed',
  'operator.confirmed',
  'operator.invited',
  'operator.joined',
  'operator.locked',
  'operator.password_changed',
  'operator.removed',
  'operator.role_changed',
  'operator.session_ended',
  'operator.sign_in_slowed',
  'operator.signed_in',
  'operator.uninvited',
  'person.forgotten',
  'provider.configured',
  'provider.removed',
  'roster_invitation.accepted',
  'roster_invitation.created',
  'roster_invitation.declined',
  'roster_invitation.resent',
  'roster_invitation.revoked',
  'roster_member.archived',
  'roster_member.joined',
  'roster_member.left',
  'roster_member.reactivated',
  'roster_member.removed',
  'sdk_session.created',
  'sdk_session.ended',
  'sdk_session.revoked',
  'sdk_session.started',
  'signing_key.rotated',
  'user.advanced',
  'user.created',
  'user.deleted',
  'user.erased',
  'user.read',
  'user.rebuilt',
  'user.returned',
  'user.updated',
  'user.withdrawn',
  'user_token.created',
  'webhook.created',
  'webhook.deleted',
  'webhook.recovered',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.updated',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Credentials that can read data of users. */
export const credentialTypes = ['api_key', 'user_token', 'operator'] as const;

export type CredentialType = (typeof credentialTypes)[number];

/** Results of a read that is recorded. */
export const accessOutcomes = ['returned', 'not_modified', 'headers_only'] as const;

export type AccessOutcome = (typeof accessOutcomes)[number];

/** Event types in the feed. */
export const eventTypes = [
  'data.updated',
  'score.updated',
  'device.connected',
  'device.disconnected',
  'subject.synced',
  'user.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];
