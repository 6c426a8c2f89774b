import type { DeviceWire, ProfileWire, UserDetailWire, UserWire } from '@tributary/contract';
import { formatId } from '../ids.ts';
import type { Device, User, UserDetail } from '../store/users.ts';

/** From the names of the code to those of the wire. Nothing else in the service knows both. */
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

export function toUserDetailWire(user: UserDetail): UserDetailWire {
  return {
    ...toUserWire(user),
    profile: toProfileWire(user.profile),
    devices: user.devices.map(toDeviceWire),
    sync: {
      state: syncState(user),
      last_batch_at: user.lastBatchAt,
      pending_batches: user.pendingBatches,
    },
  };
}

export function toDeviceWire(device: Device): DeviceWire {
  return {
    id: formatId('dev', device.id),
    provider: device.provider,
    status: device.status,
    connected_at: device.connectedAt,
    last_sync_at: device.lastSyncAt,
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
