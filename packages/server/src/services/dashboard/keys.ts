import type { KeyRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { listApiKeys, type ApiKey } from '../../store/accounts/api-keys.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { listOperatorNames } from '../operators/list-operator-names.ts';

/** A key as the dashboard shows it. */
export interface KeyRow extends ApiKey {
  status: KeyRowWire['status'];
  /** The name of the dashboard user who created it, or else the id in the audit log. */
  creator: string | null;
}

/** Returns all keys of an account, newest first, with uses up to now. */
export async function listKeys(
  ctx: Pick<Context, 'db' | 'operator' | 'clock' | 'keyUse'>,
  accountId: string,
): Promise<KeyRow[]> {
  await ctx.keyUse.flush();
  const [keys, names] = await Promise.all([
    listApiKeys(ctx.db, accountId),
    listOperatorNames(ctx, accountId),
  ]);
  return keys.map((key) => toRow(ctx, key, names));
}

/** Creates the key of an environment and revokes the previous one. The secret is shown once. */
export async function createKey(
  ctx: Pick<Context, 'db' | 'operator' | 'newId' | 'broker' | 'clock'>,
  actor: Actor,
  input: { accountId: string; environment: Environment },
): Promise<{ secret: string; row: KeyRow }> {
  const { secret, ...key } = await createApiKey(ctx, actor, input);
  return { secret, row: toRow(ctx, key, await listOperatorNames(ctx, input.accountId)) };
}

function toRow(ctx: Pick<Context, 'clock'>, key: ApiKey, names: Map<string, string>): KeyRow {
  const creator = key.createdBy && (names.get(key.createdBy) ?? key.createdBy);
  return { ...key, status: statusOf(key, ctx.clock.now()), creator };
}

function statusOf({ expiresAt, revokedAt }: ApiKey, nowMs: number): KeyRowWire['status'] {
  if (revokedAt !== null && revokedAt < expiresAt) return 'revoked';
  return Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}
