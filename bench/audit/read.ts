import { type AuditQuery, listAudit } from '@tributary/server/testing/audit';
import { openPool } from '@tributary/server/testing/database';
import { median, quantile, renderTable, type Report, type RunStack } from '@tributary/rig';

/** Maximum time per page, absolute and relative to the bare engine's page. The ratio also holds on a slow machine. */
const mostMs = 5;
const mostOfBare = 4;
/** One in this many entries is rare. */
const rareEvery = 50_000;

/** Fills the intake with one account's entries over 30 days. A few of them are rare, and a few belong to its sandbox. */
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

/** One way to read the log: its cursor and its timings. */
interface Read {
  title: string;
  environment: 'live' | 'sandbox';
  query: AuditQuery;
  isBound: boolean;
  cursor: string | null;
  entryCount: number;
  times: number[];
}

/**
 * Measures pages of a hundred entries, read by cursor. The kinds alternate, next to a bare page without row-level security. Milliseconds
 * only count with `isTimed`, on a machine without other load.
 */
export async function measurePages(
  report: Report,
  run: RunStack,
  accountId: string,
  entries: number,
  { samples, isTimed }: { samples: number; isTimed: boolean },
): Promise<void> {
  const { keyring } = run;
  const db = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'service',
    max: 1,
    statementTimeoutMs: 30_000,
    applicationName: 'bench',
  });
  await using _db = { [Symbol.asyncDispose]: () => db.end() };
  const reads = listReads();
  const bare: number[] = [];
  for (let sample = -10; sample < samples; sample += 1) {
    const bareFrom = performance.now();
    await readBare(run, accountId);
    if (sample >= 0) bare.push(performance.now() - bareFrom);
    for (const read of reads) {
      const startedAt = performance.now();
      const { entries: page, nextCursor } = await listAudit(
        { db, keyring },
        { accountId, environment: read.environment },
        { ...read.query, limit: 100, ...(read.cursor === null ? {} : { cursor: read.cursor }) },
      );
      if (sample >= 0) read.times.push(performance.now() - startedAt);
      read.entryCount += page.length;
      read.cursor = nextCursor;
    }
  }
  report.note('bare page, median', `${median(bare).toFixed(2)} ms`);
  for (const { title, isBound, times } of reads) {
    const ms = median(times);
    const ratio = ms / median(bare);
    const figure = `${ms.toFixed(2)} ms, ${ratio.toFixed(1)} × bare`;
    const most = isTimed ? mostOfBare : 1.5 * mostOfBare;
    const isWithinBound = ratio <= most && (!isTimed || ms < mostMs);
    const bound = `≤ ${most} ×${isTimed ? `, < ${mostMs} ms` : ''}`;
    if (isBound) report.bound(`page ${title}, median`, figure, bound, isWithinBound);
    else report.note(`page ${title}, median`, figure);
  }
  const rows = reads.map(({ title, entryCount, times }) => [
    title,
    String(entryCount),
    median(times).toFixed(2),
    quantile(times, 0.9).toFixed(2),
  ]);
  console.log(`\n${renderTable([`pages of ${entries} entries`, 'entries', 'median ms', 'p90'], rows)}`);
}

function listReads(): Read[] {
  const middle = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const kinds: [string, 'live' | 'sandbox', AuditQuery, boolean][] = [
    ['newest', 'live', {}, true],
    ['since a time', 'live', { since: middle }, true],
    ['before a time', 'live', { until: middle }, true],
    ['by action', 'live', { action: 'user.updated' }, true],
    ['by a rare action', 'live', { action: 'webhook.deleted' }, true],
    ['by target', 'live', { targetId: 'user_500' }, true],
    ['by a rare target', 'live', { targetId: 'user_rare' }, true],
    ['of a small environment next to a large one', 'sandbox', {}, true],
    ['by target and a rare action', 'live', { targetId: 'user_500', action: 'webhook.deleted' }, false],
    ['by actor, without an index', 'live', { actorId: 'key_3' }, false],
    ['by an unknown actor', 'live', { actorId: 'unknown' }, false],
  ];
  return kinds.map(([title, environment, query, isBound]) => ({
    title,
    environment,
    query,
    isBound,
    cursor: null,
    entryCount: 0,
    times: [],
  }));
}

/** Reads the newest hundred entries in index order. */
async function readBare({ admin }: RunStack, accountId: string): Promise<void> {
  await admin.query({
    name: 'bare-page',
    text: `SELECT * FROM audit_log WHERE account_id = $1 AND environment = 'live' ORDER BY at DESC, position DESC LIMIT 100`,
    values: [accountId],
  });
}
