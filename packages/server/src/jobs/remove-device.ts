import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { endConsent } from '../services/connections/end-consent.ts';
import { removeDevice } from '../services/devices/remove-device.ts';
import { deleteConnection, findConsentOfRemoved } from '../store/connections.ts';
import { workOn } from './work-on.ts';

/** After a device was removed: its provider is told, its history goes, and the answers without it take its place. */
export function workOnRemovals(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'remove-device', { atOnce: 1 }, async (device) => {
    await removeDevice(ctx, device);
    const consent = await findConsentOfRemoved(ctx.operator, device.deviceId);
    if (!consent) return;
    await endConsent(ctx, consent);
    await deleteConnection(ctx.operator, device.deviceId);
  });
}
