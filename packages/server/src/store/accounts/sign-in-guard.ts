import type { Queryable } from '../database/database.ts';
import { deleteOldAddresses } from './operator-addresses.ts';
import { deleteEndedSessions } from './operator-sessions.ts';

/** Longer than any authenticator app shows a code, with allowance for clock differences. */
const codeMinutes = 10;

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

/** Deletes expired rows, and sessions that were not used for this time. */
export async function sweepSignIn(db: Queryable, idleSeconds: number): Promise<void> {
  await db.query({
    text: `DELETE FROM sign_in_attempts WHERE last_at < tributary_now() - interval '1 day'`,
  });
  // Written only by the previous release.
  await db.query({
    text: `DELETE FROM sign_in_failures WHERE last_at < tributary_now() - interval '1 day'`,
  });
  await deleteOldAddresses(db);
  await deleteEndedSessions(db, idleSeconds);
  await db.query({ text: `DELETE FROM auth.verifications WHERE expires_at < CURRENT_TIMESTAMP` });
  await db.query({
    text: `DELETE FROM operator_links WHERE expires_at < tributary_now() - interval '30 days'`,
  });
}
