import { ApiError, keyOperations as operations, type KeyRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { createApiKey } from '../../services/api-keys/create-api-key.ts';
import { revokeApiKey } from '../../services/api-keys/revoke-api-key.ts';
import { findApiKey, listApiKeys, type ApiKey } from '../../store/accounts/api-keys.ts';
import { listOperators } from '../../store/accounts/operators.ts';
import type { App } from '../frame/app-type.ts';
import { actorOf, operatorOf } from './operators.ts';
import { requireOwn } from './team.ts';

/** Routes for the API keys of an account, which has one active key per environment. */
export function registerKeyRoutes(app: App, ctx: Context): void {
  app.get('/keys', { schema: operations.listKeys, config: { role: 'viewer' } }, async (request) => {
    const { accountId } = operatorOf(request);
    await ctx.keyUse.flush();
    const [keys, names] = await Promise.all([listApiKeys(ctx.operator, accountId), namesOf(accountId)]);
    return { data: keys.map((key) => toRow(key, names)) };
  });

  app.post(
    '/keys',
    { schema: operations.createKey, config: { role: 'developer' } },
    async (request, reply) => {
      const { accountId } = operatorOf(request);
      const { environment } = request.body;
      const { secret, ...key } = await createApiKey(ctx, actorOf(request), { accountId, environment });
      return reply.code(201).send({ key: secret, data: toRow(key, await namesOf(accountId)) });
    },
  );

  app.delete(
    '/keys/:id',
    { schema: operations.revokeKey, config: { role: 'developer' } },
    async (request, reply) => {
      const id = requireOwn('key', request.params.id);
      const key = await findApiKey(ctx.operator, id);
      if (key?.accountId !== operatorOf(request).accountId) throw new ApiError('not_found');
      await revokeApiKey(ctx, actorOf(request), id);
      return reply.code(204).send();
    },
  );

  /** Names of dashboard users by the id that the audit log contains. */
  async function namesOf(accountId: string): Promise<Map<string, string>> {
    const team = await listOperators(ctx.operator, accountId);
    return new Map(team.map(({ id, name }) => [formatId('op', id), name]));
  }

  function statusOf({ expiresAt, revokedAt }: ApiKey): KeyRowWire['status'] {
    if (revokedAt !== null && revokedAt < expiresAt) return 'revoked';
    return Date.parse(expiresAt) <= ctx.clock.now() ? 'expired' : 'active';
  }

  function toRow(key: ApiKey, names: Map<string, string>): KeyRowWire {
    const [prefix = '', lastFour = ''] = key.hint.split('…');
    return {
      id: formatId('key', key.id),
      environment: key.environment,
      prefix,
      last_four: lastFour,
      status: statusOf(key),
      created_at: key.createdAt,
      created_by: key.createdBy && (names.get(key.createdBy) ?? key.createdBy),
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
      last_used_address: key.lastUsedAddress,
    };
  }
}
