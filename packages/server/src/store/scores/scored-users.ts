import type { DayNumber, Timezones } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import type { Profile } from '../users/users.ts';
import { timezonesOf } from '../users/timezones.ts';

/** A user with scores, and the first and the last scored day. */
export interface ScoredUser {
  userId: string;
  timezones: Timezones;
  profile: Profile;
  daysAhead: number;
  from: DayNumber;
  to: DayNumber;
}

/** Whose users to list. Null for all of them. */
export interface ScoredUserFilter {
  accountId: string | null;
  userId: string | null;
}

/** The next users with scores after an id, by id. */
export async function listScoredUsers(
  db: Queryable,
  { accountId, userId }: ScoredUserFilter,
  afterId: string | null,
  limit: number,
): Promise<ScoredUser[]> {
  const result = await db.query<ScoredUser>({
    text: `SELECT u.id AS "userId", ${timezonesOf('u')} AS timezones, u.profile, u.days_ahead AS "daysAhead", s.*
           FROM users u, LATERAL (SELECT min(d.day) - date '1970-01-01' AS "from", max(d.day) - date '1970-01-01' AS "to"
                                  FROM score_days d WHERE d.user_id = u.id) AS s
           WHERE u.status = 'active' AND s."from" IS NOT NULL AND ($1::uuid IS NULL OR u.account_id = $1)
             AND ($2::uuid IS NULL OR u.id = $2) AND ($3::uuid IS NULL OR u.id > $3)
           ORDER BY u.id LIMIT $4`,
    values: [accountId, userId, afterId, limit],
  });
  return result.rows;
}
