import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { removeDevice } from '../services/devices/remove-device.ts';
import { workOn } from './work-on.ts';

/** After a device was removed: its history goes, and the answers without it take its place. */
export function workOnRemovals(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'remove-device', { atOnce: 1 }, (device) => removeDevice(ctx, device));
}
