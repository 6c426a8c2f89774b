import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { endConsent } from '../services/connections/end-consent.ts';
import { removeDevice } from '../services/devices/remove-device.ts';
import { deleteConnection, findConsentOfRemoved } from '../store/connections/connections.ts';
import { processJobs } from './process-jobs.ts';

/** Runs after a device is removed: revokes its consent, deletes its history and recomputes the canonical values without it. */
export function processRemovals(ctx: Context, boss: PgBoss): Promise<void> {
  return processJobs(ctx, boss, 'remove-device', { atOnce: 1 }, async (device) => {
    await removeDevice(ctx, device);
    const consent = await findConsentOfRemoved(ctx.operator, device.deviceId);
    if (!consent) return;
    await endConsent(ctx, consent);
    await deleteConnection(ctx.operator, device.deviceId);
  });
}
