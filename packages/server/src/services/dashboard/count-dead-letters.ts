import type { Context } from '../../context.ts';
import { listActiveUsers } from '../../store/dashboard/find.ts';
import { countDeadLettersByUser } from '../../store/dashboard/overview.ts';
import type { Tenant } from '../../store/database/tenant.ts';

/** Returns the number of dead letters of a tenant and the time of the oldest. Row-level security decides which users belong to the tenant. */
export async function countDeadLetters(
  ctx: Pick<Context, 'db' | 'operator'>,
  tenant: Tenant,
): Promise<{ count: number; oldestAt: string | null }> {
  const all = await countDeadLettersByUser(ctx.operator);
  const users = new Set(
    await listActiveUsers(
      ctx.db,
      tenant,
      all.map(({ userId }) => userId),
    ),
  );
  const own = all.filter(({ userId }) => users.has(userId));
  return {
    count: own.reduce((sum, { count }) => sum + count, 0),
    oldestAt: own.map(({ oldestAt }) => oldestAt).toSorted()[0] ?? null,
  };
}
