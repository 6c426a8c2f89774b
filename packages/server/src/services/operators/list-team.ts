import type { Context } from '../../context.ts';
import { listProfiles, listTeamRoles, type Operator } from '../../store/accounts/operators.ts';

/**
 * Returns the dashboard users of an account in the order in which they joined. The roles are read as the tenant, so row-level security decides who
 * belongs to the team, and profiles of others have no place in the result.
 */
export async function listTeam(
  ctx: Pick<Context, 'db' | 'operator'>,
  accountId: string,
): Promise<Operator[]> {
  const roles = await listTeamRoles(ctx.db, accountId);
  const profiles = await listProfiles(
    ctx.operator,
    roles.map(({ operatorId }) => operatorId),
  );
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  return roles.flatMap(({ operatorId, role, joinedAt }) => {
    const profile = byId.get(operatorId);
    return profile ? [{ ...profile, accountId, role, joinedAt }] : []; // removed since the first read
  });
}
