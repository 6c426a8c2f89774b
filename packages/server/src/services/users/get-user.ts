import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findUserDetail, type UserDetail } from '../../store/users/users.ts';
import { userNotFound } from './user-not-found.ts';

/** Returns the user with profile, devices and sync state. Throws `not_found`. */
export async function getUser(ctx: Context, tenant: Tenant, id: string): Promise<UserDetail> {
  const user = await findUserDetail(ctx.db, tenant, id);
  if (!user) throw userNotFound(formatId('user', id));
  return user;
}
