import type {
  DeviceWire,
  ProfileWire,
  SdkBootstrapWire,
  SdkCredentialsWire,
  SdkSessionWire,
  UserDetailWire,
  UserWire,
} from '@tributary/contract';
import { formatDay, todayOf } from '@tributary/domain';
import { findProvider } from '@tributary/providers';
import { formatId } from '../../ids.ts';
import { explainSync } from '../../services/sync/sync-state.ts';
import type { SdkBootstrap } from '../../services/sdk-sessions/create-sdk-session.ts';
import type { SdkCredentials } from '../../services/sdk-sessions/issue-credentials.ts';
import type { SandboxPerson } from '../../store/sandbox/sandbox.ts';
import type { SdkSession } from '../../store/uploads/sdk-sessions.ts';
import type { Device, User, UserDetail } from '../../store/users/users.ts';

/** Maps internal names to wire names. Nothing else in the service knows both. */
export function toUserWire(user: User): UserWire {
  return {
    id: formatId('user', user.id),
    reference_id: user.referenceId,
    external_ref: user.referenceId,
    timezone: user.timezone,
    status: user.status,
    score_status: user.scoreStatus,
    last_sync_at: user.lastSyncAt,
    last_score_at: user.lastScoreAt,
    created_at: user.createdAt,
  };
}

export function toUserDetailWire(user: UserDetail, nowMs: number): UserDetailWire {
  return {
    ...toUserWire(user),
    profile: toProfileWire(user.profile),
    devices: user.devices.map(toDeviceWire),
    sync: {
      state: syncState(user),
      last_batch_at: user.lastBatchAt,
      pending_batches: user.pendingBatches,
    },
    ...(user.sandbox ? { sandbox: toSandboxWire(user, user.sandbox, nowMs) } : {}),
  };
}

function toSandboxWire(
  { timezones, daysAhead }: UserDetail,
  { archetype }: SandboxPerson,
  nowMs: number,
): NonNullable<UserDetailWire['sandbox']> {
  const today = formatDay(todayOf(nowMs, timezones, daysAhead));
  return { archetype, today, days_ahead: daysAhead };
}

export function toDeviceWire(device: Device): DeviceWire {
  return {
    id: formatId('dev', device.id),
    provider: device.provider,
    status: device.status,
    connected_at: device.connectedAt,
    last_sync_at: device.lastSyncAt,
    sync: toSyncStateWire(device),
  };
}

/** The state of a connection; null for a phone. */
export function toSyncStateWire({
  provider,
  syncState,
  syncReason,
}: Pick<Device, 'provider' | 'syncState' | 'syncReason'>): DeviceWire['sync'] {
  if (syncState === null || syncReason === null) return null;
  const { message, nextStep } = explainSync(syncReason, findProvider(provider)?.name ?? provider);
  return { state: syncState, reason: syncReason, message, next_step: nextStep };
}

export function toSdkBootstrapWire(bootstrap: SdkBootstrap): SdkBootstrapWire {
  return {
    session_id: bootstrap.sessionId,
    client_token: bootstrap.clientToken,
    client_token_expires_at: bootstrap.clientTokenExpiresAt,
    user_id: formatId('user', bootstrap.userId),
    api_url: bootstrap.apiUrl,
    config: {
      sync_interval_seconds: bootstrap.syncIntervalSeconds,
      categories: bootstrap.categories,
    },
  };
}

export function toSdkSessionWire(session: SdkSession): SdkSessionWire {
  return {
    session_id: session.id,
    status: session.status,
    platform: session.platform,
    installation_id: session.installationId,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
  };
}

export function toSdkCredentialsWire(credentials: SdkCredentials): SdkCredentialsWire {
  return {
    access_token: credentials.accessToken,
    token_type: 'Bearer',
    expires_at: credentials.expiresAt,
    refresh_token: credentials.refreshToken,
    refresh_expires_at: credentials.refreshExpiresAt,
    session_id: credentials.sessionId,
    user_id: formatId('user', credentials.userId),
  };
}

function toProfileWire(profile: UserDetail['profile']): ProfileWire {
  return {
    birth_date: profile.birth_date ?? null,
    sex: profile.sex ?? null,
    height_cm: profile.height_cm ?? null,
    weight_kg: profile.weight_kg ?? null,
    max_heart_rate: profile.max_heart_rate ?? null,
    goals: profile.goals ?? {},
  };
}

function syncState(user: UserDetail): UserDetailWire['sync']['state'] {
  if (user.pendingBatches > 0) return 'processing';
  return user.lastSyncAt === null && user.lastBatchAt === null ? 'never_synced' : 'up_to_date';
}
