import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Tenant } from '../../store/tenant.ts';
import { findDevicesOfUser, type Device } from '../../store/users.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** The devices of a user, in order of connecting; throws `not_found` when there is no such user. */
export async function listDevices(ctx: Context, tenant: Tenant, userId: string): Promise<Device[]> {
  const devices = await findDevicesOfUser(ctx.db, tenant, userId);
  if (!devices) throw userNotFound(formatId('user', userId));
  return devices;
}
