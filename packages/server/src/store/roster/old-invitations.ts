import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';

export interface ForgottenInvitation {
  accountId: string;
  environment: Environment;
  userId: string;
  /** Whether nothing else is known about the person, because no user was created. */
  forgotten: boolean;
}

/** Deletes some invitations that ended this long ago without acceptance, with their mail and the personal text in the audit log. */
export async function deleteOldInvitations(
  tx: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<ForgottenInvitation[]> {
  const result = await tx.query<ForgottenInvitation>({
    text: `WITH old AS (
             SELECT id FROM roster_invitations WHERE status <> 'accepted'
               AND coalesce(ended_at, expires_at) < tributary_now() - $1 * interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED
           ), gone AS (
             DELETE FROM roster_invitations i USING old WHERE i.id = old.id RETURNING i.account_id, i.environment, i.user_id
           ), people AS MATERIALIZED (
             SELECT g.*, NOT EXISTS (SELECT FROM users u WHERE u.id = g.user_id) AS forgotten FROM gone g
           ), texts AS (
             DELETE FROM audit_texts t USING people p WHERE p.forgotten AND t.person = p.user_id
           )
           SELECT account_id AS "accountId", environment, user_id AS "userId", forgotten FROM people`,
    values: [olderThanDays, limit],
  });
  return result.rows;
}
