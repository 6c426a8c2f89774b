import type { Queryable } from '../database/database.ts';

/** Failed attempts in a row that are counted under one key. */
export interface AttemptCount {
  key: Buffer;
  failures: number;
  /** Seconds until the next attempt is possible. Zero or less if it is possible now. */
  waitSeconds: number;
}

/** Counts start over after this time without a failure. */
const rememberHours = 24;

/** Reads counts and locks them until the transaction ends, in the order of their keys, so that concurrent attempts wait for each other. */
export async function lockAttempts(tx: Queryable, keys: readonly Buffer[]): Promise<AttemptCount[]> {
  const result = await tx.query<AttemptCount>({
    name: 'sign-in/lock-attempts',
    text: `INSERT INTO sign_in_attempts AS a (key, failures, last_at, open_at)
           SELECT key, 0, tributary_now(), tributary_now() FROM unnest($1::bytea[]) AS t (key) ORDER BY key
           ON CONFLICT (key) DO UPDATE SET
             failures = CASE WHEN a.last_at < tributary_now() - $2 * interval '1 hour' THEN 0 ELSE a.failures END
           RETURNING key, failures, ceil(extract(epoch FROM open_at - tributary_now()))::int AS "waitSeconds"`,
    values: [keys, rememberHours],
  });
  return result.rows;
}

/** Adds a failure to counts that this transaction has locked, with the time until the next attempt. */
export async function insertFailures(
  tx: Queryable,
  counts: readonly { key: Buffer; waitSeconds: number }[],
): Promise<void> {
  await tx.query({
    name: 'sign-in/insert-failures',
    text: `UPDATE sign_in_attempts a SET failures = a.failures + 1, last_at = tributary_now(),
             open_at = tributary_now() + t.wait * interval '1 second'
           FROM unnest($1::bytea[], $2::int[]) AS t (key, wait) WHERE a.key = t.key`,
    values: [counts.map(({ key }) => key), counts.map(({ waitSeconds }) => waitSeconds)],
  });
}

/** Starts counts over, after a success. */
export async function deleteAttempts(db: Queryable, keys: readonly Buffer[]): Promise<void> {
  await db.query({
    name: 'sign-in/delete-attempts',
    text: `DELETE FROM sign_in_attempts WHERE key = ANY ($1::bytea[])`,
    values: [keys],
  });
}

/** Takes back one failure, after a success that says nothing about the others. */
export async function deleteFailure(db: Queryable, key: Buffer): Promise<void> {
  await db.query({
    name: 'sign-in/delete-failure',
    text: `UPDATE sign_in_attempts SET failures = failures - 1 WHERE key = $1 AND failures > 0`,
    values: [key],
  });
}
