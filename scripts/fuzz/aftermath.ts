import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '@tributary/server/testing/database';

const longestMs = 60_000;

/** Lists problems after all requests: every accepted upload must be processed, and none may be a dead letter. */
export async function checkAftermath(databaseUrl: string): Promise<string[]> {
  const operator = openPool({
    url: databaseUrl,
    role: 'operator',
    max: 1,
    statementTimeoutMs: 10_000,
    applicationName: 'fuzz',
  });
  try {
    const until = performance.now() + longestMs;
    const countPending = async () =>
      (await operator.query<{ n: number }>('SELECT count(*) AS n FROM pending_batches')).rows[0]!.n;
    let pending = await countPending();
    while (pending > 0 && performance.now() < until) {
      await sleep(100);
      pending = await countPending();
    }
    const { rows } = await operator.query<{ reason: string; n: number; one: string }>(
      'SELECT reason, count(*) AS n, min(batch_id::text) AS one FROM dead_letters GROUP BY reason',
    );
    return [
      ...(pending > 0 ? [`${pending} uploads are still pending a minute after the last request`] : []),
      ...rows.map(({ reason, n, one }) => `${n} uploads became dead letters: ${reason}, for example ${one}`),
    ];
  } finally {
    await operator.end();
  }
}
