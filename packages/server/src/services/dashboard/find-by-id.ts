import { ApiError, type IdMatchWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId, parseId, parseUuid, type IdPrefix } from '../../ids.ts';
import { findKeyOfAccount } from '../../store/accounts/api-keys.ts';
import { findEvent } from '../../store/dashboard/events.ts';
import { accountHas, listActiveUsers, listUsersWith, tenantHas } from '../../store/dashboard/find.ts';
import type { Tenant } from '../../store/database/tenant.ts';

type FindContext = Pick<Context, 'db' | 'operator'>;
type SearchResult = IdMatchWire | null;

type Finder = (ctx: FindContext, tenant: Tenant, uuid: string, id: string) => Promise<SearchResult>;

const finders: Partial<Record<IdPrefix, Finder>> = {
  user: async (ctx, tenant, uuid, id) =>
    (await tenantHas(ctx.db, tenant, 'users', uuid)) ? page('user', id, `users/${id}`) : null,
  wh: async (ctx, tenant, uuid, id) =>
    (await tenantHas(ctx.db, tenant, 'webhooks', uuid)) ? page('webhook', id, `webhooks/${id}`) : null,
  inv: async (ctx, tenant, uuid, id) =>
    (await tenantHas(ctx.db, tenant, 'roster_invitations', uuid))
      ? page('invitation', id, 'roster/invitations')
      : null,
  mem: async (ctx, tenant, uuid, id) =>
    (await tenantHas(ctx.db, tenant, 'roster_members', uuid)) ? page('member', id, 'roster') : null,
  evt: async (ctx, tenant, uuid, id) =>
    (await findEvent(ctx.db, tenant, uuid)) ? page('event', id, `events/${id}`) : null,
  dev: async (ctx, tenant, uuid, id) => {
    const userId = await findUserWith(ctx, tenant, 'devices', uuid);
    return userId === null ? null : page('device', id, `users/${formatId('user', userId)}?tab=devices`);
  },
  key: async (ctx, { accountId, environment }, uuid, id) => {
    const key = await findKeyOfAccount(ctx.db, accountId, uuid);
    return key?.environment === environment ? page('key', id, 'keys') : null;
  },
  op: async (ctx, { accountId }, uuid, id) =>
    (await accountHas(ctx.db, accountId, 'operator_roles', uuid))
      ? page('operator', id, 'settings/team')
      : null,
  oli: async (ctx, { accountId }, uuid, id) =>
    (await accountHas(ctx.db, accountId, 'operator_links', uuid))
      ? page('operator_invitation', id, 'settings/team')
      : null,
};

/** Returns the kind of an id and the page that shows it. Throws `not_found`. A plain UUID is a batch id in the dead letters. */
export async function findById(ctx: FindContext, tenant: Tenant, id: string): Promise<IdMatchWire> {
  const prefix = id.split('_')[0] as IdPrefix;
  const uuid = parseId(prefix, id);
  const result =
    uuid === null
      ? await findBatch(ctx, tenant, id)
      : Object.hasOwn(finders, prefix) && (await finders[prefix]!(ctx, tenant, uuid, id));
  if (!result) throw new ApiError('not_found');
  return result;
}

function page(kind: IdMatchWire['kind'], id: string, path: string): IdMatchWire {
  return { kind, id, path };
}

async function findBatch(ctx: FindContext, tenant: Tenant, id: string): Promise<SearchResult> {
  const uuid = parseUuid(id);
  const userId = uuid === null ? null : await findUserWith(ctx, tenant, 'dead_letters', uuid);
  return userId === null ? null : page('batch', id, `users/${formatId('user', userId)}`);
}

/** Returns the tenant's user of a device or dead letter. Row-level security decides which users belong to the tenant. */
async function findUserWith(
  ctx: FindContext,
  tenant: Tenant,
  table: Parameters<typeof listUsersWith>[1],
  id: string,
): Promise<string | null> {
  const users = await listUsersWith(ctx.operator, table, id);
  const [userId] = await listActiveUsers(ctx.db, tenant, users);
  return userId ?? null;
}
