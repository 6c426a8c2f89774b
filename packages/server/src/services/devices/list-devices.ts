import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findDevicesOfUser, type Device } from '../../store/users/users.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Lists the devices of a user in the order they were connected. Throws `not_found` if the user does not exist. */
export async function listDevices(ctx: Context, tenant: Tenant, userId: string): Promise<Device[]> {
  const devices = await findDevicesOfUser(ctx.db, tenant, userId);
  if (!devices) throw userNotFound(formatId('user', userId));
  return devices;
}
