import { keyOperations as operations, type KeyRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { createKey, listKeys, type KeyRow } from '../../services/dashboard/keys.ts';
import { revokeKey } from '../../services/dashboard/revoke-key.ts';
import { requireConfirmed } from '../../services/operators/confirm-identity.ts';
import type { App } from '../frame/app-type.ts';
import { actorOf, operatorOf } from './operators.ts';
import { requireOwn } from './team.ts';

/** Routes for the API keys of an account, which has one active key per environment. */
export function registerKeyRoutes(app: App, ctx: Context): void {
  app.get('/keys', { schema: operations.listKeys, config: { role: 'viewer' } }, async (request) => {
    const keys = await listKeys(ctx, operatorOf(request).accountId);
    return { data: keys.map(toRow) };
  });

  app.post(
    '/keys',
    { schema: operations.createKey, config: { role: 'developer' } },
    async (request, reply) => {
      const { accountId } = operatorOf(request);
      const { environment } = request.body;
      if (environment === 'live') requireConfirmed(operatorOf(request));
      const { secret, row } = await createKey(ctx, actorOf(request), { accountId, environment });
      return reply.code(201).send({ key: secret, data: toRow(row) });
    },
  );

  app.delete(
    '/keys/:id',
    { schema: operations.revokeKey, config: { role: 'developer' } },
    async (request, reply) => {
      const { accountId } = operatorOf(request);
      const keyId = requireOwn('key', request.params.id);
      await revokeKey(ctx, actorOf(request), { accountId, keyId });
      return reply.code(204).send();
    },
  );
}

function toRow(key: KeyRow): KeyRowWire {
  const [prefix = '', lastFour = ''] = key.hint.split('…');
  return {
    id: formatId('key', key.id),
    environment: key.environment,
    prefix,
    last_four: lastFour,
    status: key.status,
    created_at: key.createdAt,
    created_by: key.creator,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    last_used_address: key.lastUsedAddress,
  };
}
