import type { Queryable } from '../database/database.ts';

const mostFailures = 10;
const lockMinutes = 15;
/** Longer than any authenticator app shows a code, with allowance for clock differences. */
const codeMinutes = 10;

/** Whether a password attempt is allowed, and whether it triggers the lock. */
export interface SignInTry {
  /** Null if it is allowed. */
  waitSeconds: number | null;
  isLast: boolean;
}

/**
 * Counts an attempt before the password is checked, so that concurrent attempts all count. The tenth consecutive failure locks the address for 15
 * minutes. A correct password or the passage of time resets the count.
 */
export async function countTry(db: Queryable, emailHash: Buffer): Promise<SignInTry> {
  const result = await db.query<{ failures: number; waitSeconds: number }>({
    name: 'sign-in/count-try',
    text: `INSERT INTO sign_in_failures AS f (email_hash, failures, last_at) VALUES ($1, 1, tributary_now())
           ON CONFLICT (email_hash) DO UPDATE SET
             failures = CASE WHEN f.last_at < tributary_now() - $3 * interval '1 minute' THEN 1 ELSE f.failures + 1 END,
             last_at = CASE WHEN f.failures >= $2 AND f.last_at >= tributary_now() - $3 * interval '1 minute'
               THEN f.last_at ELSE tributary_now() END
           RETURNING failures, ceil(extract(epoch FROM last_at + $3 * interval '1 minute' - tributary_now()))::int AS "waitSeconds"`,
    values: [emailHash, mostFailures, lockMinutes],
  });
  const { failures, waitSeconds } = result.rows[0]!;
  return { waitSeconds: failures > mostFailures ? waitSeconds : null, isLast: failures === mostFailures };
}

export async function forgetTries(db: Queryable, emailHash: Buffer): Promise<void> {
  await db.query({
    name: 'sign-in/forget-tries',
    text: `DELETE FROM sign_in_failures WHERE email_hash = $1`,
    values: [emailHash],
  });
}

/** Records that a dashboard user used a code; false if it was used before. */
export async function spendCode(db: Queryable, operatorId: string, codeHash: Buffer): Promise<boolean> {
  const result = await db.query({
    name: 'sign-in/spend-code',
    text: `WITH old AS (DELETE FROM spent_codes WHERE operator_id = $1 AND spent_at < tributary_now() - $3 * interval '1 minute'
             AND code_hash <> $2)
           INSERT INTO spent_codes AS s (operator_id, code_hash, spent_at) VALUES ($1, $2, tributary_now())
           ON CONFLICT (operator_id, code_hash) DO UPDATE SET spent_at = tributary_now()
             WHERE s.spent_at < tributary_now() - $3 * interval '1 minute'`,
    values: [operatorId, codeHash, codeMinutes],
  });
  return result.rowCount === 1;
}

/** Returns the sealed sign-in secret. The first node to call it stores its own. */
export async function keepSignInSecret(db: Queryable, sealed: Buffer): Promise<Buffer> {
  const result = await db.query<{ sealed: Buffer }>({
    text: `WITH kept AS (INSERT INTO sign_in_secrets (sealed) VALUES ($1) ON CONFLICT DO NOTHING RETURNING sealed)
           SELECT sealed FROM kept UNION ALL SELECT sealed FROM sign_in_secrets LIMIT 1`,
    values: [sealed],
  });
  const [row] = result.rows;
  // Another node stored its own at the same moment, which this statement cannot see yet.
  return row ? row.sealed : keepSignInSecret(db, sealed);
}

/** Deletes expired rows. */
export async function sweepSignIn(db: Queryable): Promise<void> {
  await db.query({
    text: `DELETE FROM sign_in_failures WHERE last_at < tributary_now() - interval '1 day'`,
  });
  await db.query({ text: `DELETE FROM auth.sessions WHERE expires_at < CURRENT_TIMESTAMP` });
  await db.query({ text: `DELETE FROM auth.verifications WHERE expires_at < CURRENT_TIMESTAMP` });
  await db.query({
    text: `DELETE FROM operator_links WHERE expires_at < tributary_now() - interval '30 days'`,
  });
}
