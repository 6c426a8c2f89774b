import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findSyncRecord, type SyncRecord } from '../../store/connections/sync-runs.ts';
import { snapshotAsTenant, type Tenant } from '../../store/database/tenant.ts';
import { userExists } from '../../store/users/users.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { deviceNotFound } from './device-not-found.ts';

const mostRuns = 20;

/** Returns the recent sync runs of a connection. Throws `not_found` if this user has no such connection. */
export async function getDeviceSync(
  ctx: Context,
  tenant: Tenant,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<SyncRecord> {
  const syncRecord = await snapshotAsTenant(ctx.db, tenant, async (tx) => {
    if (!(await userExists(tx, tenant, userId))) throw userNotFound(formatId('user', userId));
    return findSyncRecord(tx, userId, deviceId, mostRuns);
  });
  if (!syncRecord) throw deviceNotFound(formatId('dev', deviceId));
  return syncRecord;
}
