import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { actingByItself } from '../../store/audit/actor.ts';
import { endConnection, setDeviceStatus } from '../../store/connections/connections.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { touchUser } from '../../store/users/read.ts';
import { record } from '../audit/record.ts';

/** Expires a device whose consent has ended. Its history stays, and the organization gets one event. */
export async function expireConnection(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  connection: Tenant & { deviceId: string; userId: string; provider: string },
): Promise<void> {
  const { deviceId, userId, provider, accountId, environment } = connection;
  await endConnection(tx, deviceId);
  const changed = await setDeviceStatus(tx, connection, 'expired', {
    state: 'revoked',
    reason: 'consent_ended',
  });
  if (!changed) return;
  await touchUser(tx, userId);
  const event = { id: ctx.newId(), accountId, environment, userId, deviceId, metrics: [] };
  await insertEvents(tx, [
    { ...event, type: 'device.disconnected', data: { provider, reason: 'consent_ended' } },
  ]);
  await record(ctx, tx, actingByItself(connection, 'sync'), {
    action: 'device.expired',
    target: { type: 'device', id: formatId('dev', deviceId) },
    data: { provider },
  });
}
