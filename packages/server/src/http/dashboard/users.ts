import { userRowOperations as operations, type UserRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { boundedCount } from '../../services/dashboard/bounded-count.ts';
import { findById } from '../../services/dashboard/find-by-id.ts';
import { listUserRows } from '../../services/dashboard/list-user-rows.ts';
import type { UserRow } from '../../store/dashboard/users.ts';
import type { App } from '../frame/app-type.ts';
import { tenantOf } from './environment.ts';

/** Routes for the user list and for finding the page of an id. */
export function registerUserRoutes(app: App, ctx: Context): void {
  app.get('/users', { schema: operations.listUserRows, config: { role: 'viewer' } }, async (request) => {
    const { environment, ...input } = request.query;
    const { users, nextCursor, counts } = await listUserRows(ctx, tenantOf(request, environment), input);
    return {
      data: users.map(toRow),
      next_cursor: nextCursor,
      counts: {
        all: { value: counts.all, more: false },
        not_syncing: boundedCount(counts.not_syncing),
        no_device: boundedCount(counts.no_device),
        deleting: boundedCount(counts.deleting),
      },
    };
  });

  app.get('/find', { schema: operations.findById, config: { role: 'viewer' } }, async (request) => {
    const { environment, id } = request.query;
    return findById(ctx, tenantOf(request, environment), id.trim());
  });
}

function toRow(user: UserRow): UserRowWire {
  return {
    id: formatId('user', user.id),
    reference_id: user.referenceId,
    status: user.status,
    timezone: user.timezone,
    devices: user.devices,
    not_syncing: user.notSyncing,
    has_scores: user.hasScores,
    last_sync_at: user.lastSyncAt,
    created_at: user.createdAt,
  };
}
