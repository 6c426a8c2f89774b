import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findSyncRecord, type SyncRecord } from '../../store/sync-runs.ts';
import { snapshotAsTenant, type Tenant } from '../../store/tenant.ts';
import { userExists } from '../../store/users.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { deviceNotFound } from './device-not-found.ts';

const mostRuns = 20;

/** What a connection did lately; throws `not_found` when this user has no such connection. */
export async function getDeviceSync(
  ctx: Context,
  tenant: Tenant,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<SyncRecord> {
  const found = await snapshotAsTenant(ctx.db, tenant, async (tx) => {
    if (!(await userExists(tx, tenant, userId))) throw userNotFound(formatId('user', userId));
    return findSyncRecord(tx, userId, deviceId, mostRuns);
  });
  if (!found) throw deviceNotFound(formatId('dev', deviceId));
  return found;
}
