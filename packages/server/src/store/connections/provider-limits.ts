import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Environment } from '../database/tenant.ts';

/** A provider's rule for one subject: the provider app (empty) or a user. */
export interface LimitStep {
  subject: string;
  rule: number;
  /** Seconds between calls at an even pace. */
  spacingSeconds: number;
  /** Seconds' worth of calls that may be made at once. */
  burstSeconds: number;
}

/** Takes one call from every rule, or from none. Returns null, or when to retry in milliseconds. */
export async function takeProviderCall(
  db: Queryable,
  app: { environment: Environment; provider: string },
  steps: readonly LimitStep[],
): Promise<number | null> {
  const result = await db.query<{ backMs: number | null }>({
    name: 'provider-limits/take',
    text: `SELECT ${epochMs('take_provider_call($1, $2, $3::text[], $4::int2[], $5::float8[], $6::float8[])')} AS "backMs"`,
    values: [
      app.environment,
      app.provider,
      steps.map(({ subject }) => subject),
      steps.map(({ rule }) => rule),
      steps.map(({ spacingSeconds }) => spacingSeconds),
      steps.map(({ burstSeconds }) => burstSeconds),
    ],
  });
  return result.rows[0]!.backMs;
}

/** When every rule has this many calls available at once, or its maximum, in milliseconds; in the past if they are available now. */
export async function findProviderCalls(
  db: Queryable,
  { environment, provider }: { environment: Environment; provider: string },
  steps: readonly LimitStep[],
  calls: number,
): Promise<number> {
  const { rows } = await db.query<{ subject: string; rule: number; arrivalMs: number }>({
    name: 'provider-limits/find',
    text: `SELECT subject, rule, ${epochMs('arrival_at')} AS "arrivalMs" FROM provider_limits
           WHERE environment = $1 AND provider = $2 AND subject = ANY ($3::text[])`,
    values: [environment, provider, steps.map(({ subject }) => subject)],
  });
  const times = steps.map(({ subject, rule, spacingSeconds, burstSeconds }) => {
    const used = rows.find((row) => row.subject === subject && row.rule === rule);
    const missingSeconds = Math.min(calls * spacingSeconds, burstSeconds) - burstSeconds;
    return (used?.arrivalMs ?? 0) + missingSeconds * 1000;
  });
  return Math.max(...times);
}

/** Pauses all calls of a provider app until the time that the provider asked for. */
export async function pauseProvider(
  db: Queryable,
  { environment, provider }: { environment: Environment; provider: string },
  untilMs: number,
): Promise<void> {
  await db.query({
    text: `INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at) VALUES ($1, $2, '', -1, to_timestamp($3::float8 / 1000))
           ON CONFLICT (environment, provider, subject, rule) DO UPDATE SET arrival_at = greatest(provider_limits.arrival_at, excluded.arrival_at)`,
    values: [environment, provider, untilMs],
  });
}

/** Deletes limits of single users that are not used at all, which is the same as no row. They name users who may have left. Returns their number. */
export async function deleteUnusedLimits(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM provider_limits WHERE subject <> '' AND arrival_at < tributary_now() - interval '1 hour'`,
  });
  return result.rowCount ?? 0;
}
