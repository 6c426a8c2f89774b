import { createKeyring } from '../../packages/server/src/credentials/keyring.ts';
import { listAudit, type AuditQuery } from '../../packages/server/src/services/audit/list-audit.ts';
import { openPool } from '../../packages/server/src/store/database.ts';
import { quantile, renderTable, type Report } from '../report.ts';
import type { RunStack } from '../service.ts';

const mostMs = 5;
/** The rare things are found once in so many entries. */
const rareEvery = 50_000;

/** Fills the intake with entries of one account over 30 days, of which few are rare, and a few are of its sandbox. */
export async function fill({ admin }: RunStack, accountId: string, entries: number): Promise<void> {
  for (let from = 1; from <= entries; from += 50_000)
    await admin.query(
      `INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, request_id, data)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::int8), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' ||
           substr(md5(random()::text), 1, 15))::uuid,
         $1, CASE WHEN n % ${rareEvery} = 1 THEN 'sandbox' WHEN n % 1000 = 2 THEN NULL ELSE 'live' END, at, 'api_key',
         'key_' || n % 7, CASE WHEN n % ${rareEvery} = 3 THEN 'webhook.deleted' ELSE 'user.updated' END, 'user',
         CASE WHEN n % ${rareEvery} = 4 THEN 'user_rare' ELSE 'user_' || n % 1000 END, 'req_' || n, '{"fields":["timezone"]}'
       FROM (SELECT n, date_trunc('milliseconds', now() - interval '30 days' * (1 - n::float8 / $4)) AS at
             FROM generate_series($2::int, $3::int) AS n) AS made`,
      [accountId, from, Math.min(entries, from + 49_999), entries],
    );
}

/** How long pages take, each of a hundred entries, walked through by cursors. */
export async function measurePages(
  report: Report,
  run: RunStack,
  accountId: string,
  entries: number,
  samples: number,
): Promise<void> {
  const keyring = createKeyring([
    { version: 1, key: Buffer.from(run.encryptionKeys.replace(/^1:/, ''), 'base64') },
  ]);
  const db = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'service',
    max: 1,
    statementTimeoutMs: 30_000,
    applicationName: 'bench',
  });
  await using _db = { [Symbol.asyncDispose]: () => db.end() };
  const middle = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const reads: [string, 'live' | 'sandbox', AuditQuery, boolean][] = [
    ['newest', 'live', {}, true],
    ['since a time', 'live', { since: middle }, true],
    ['before a time', 'live', { until: middle }, true],
    ['by action', 'live', { action: 'user.updated' }, true],
    ['by a rare action', 'live', { action: 'webhook.deleted' }, true],
    ['by target', 'live', { targetId: 'user_500' }, true],
    ['by a rare target', 'live', { targetId: 'user_rare' }, true],
    ['beside a large environment', 'sandbox', {}, true],
    ['by target and a rare action', 'live', { targetId: 'user_500', action: 'webhook.deleted' }, false],
    ['by actor, which no index knows', 'live', { actorId: 'key_3' }, false],
    ['by an actor that is none', 'live', { actorId: 'nobody' }, false],
  ];
  const rows: string[][] = [];
  for (const [title, environment, query, isBound] of reads) {
    const times: number[] = [];
    let found = 0;
    let cursor: string | null = null;
    for (let sample = -10; sample < samples; sample += 1) {
      const startedAt = performance.now();
      const answer: Awaited<ReturnType<typeof listAudit>> = await listAudit(
        { db, keyring },
        { accountId, environment },
        { ...query, limit: 100, ...(cursor === null ? {} : { cursor }) },
      );
      if (sample >= 0) times.push(performance.now() - startedAt);
      found += answer.entries.length;
      cursor = answer.nextCursor;
    }
    const p50 = quantile(times, 0.5);
    rows.push([title, String(found), p50.toFixed(2), quantile(times, 0.9).toFixed(2)]);
    if (isBound)
      report.bound(`page ${title}, median`, `${p50.toFixed(2)} ms`, `< ${mostMs} ms`, p50 < mostMs);
    else report.note(`page ${title}, median`, `${p50.toFixed(2)} ms`);
  }
  console.log(`\n${renderTable([`pages of ${entries} entries`, 'entries', 'median ms', 'p90'], rows)}`);
}
