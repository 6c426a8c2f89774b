import { setTimeout as sleep } from 'node:timers/promises';
import { openService, progress, Random, type Patch, type RunStack, startRunStack } from '@tributary/rig';
import { record } from '@tributary/server/testing/audit';
import { actingByItself, inTransaction, openPool } from '@tributary/server/testing/database';
import { loadParts } from './service.ts';
import { newId, untilChained } from './world.ts';

const writers = 8;
const accounts = 3;

export interface KillsResult {
  committed: number;
  kills: number;
  /** Counts of entries that were committed but are not in the log, are in it more than once, or are in it although they were rolled back. */
  missing: number;
  repeated: number;
  unreal: number;
  /** Entries that come before an entry that was written earlier. */
  outOfOrder: number;
  problems: string[];
  seconds: number;
}

/** Writes entries while repeatedly killing the process that chains them, and compares the log with the committed entries. */
export async function runKills(options: {
  seed: string;
  kills: number;
  patches?: readonly Patch[];
}): Promise<KillsResult> {
  const startedAt = performance.now();
  const random = new Random(options.seed);
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['jobs', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  await using parts = await loadParts(service.program, run);
  const pool = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'operator',
    max: writers,
    statementTimeoutMs: 30_000,
    applicationName: 'proof',
  });
  await using _pool = { [Symbol.asyncDispose]: () => pool.end() };
  const ids = Array.from({ length: accounts }, newId);
  const stop = new AbortController();
  const committed: string[] = [];
  const writing = Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      write(pool, ids, random.fork(writer), writer, stop.signal, committed),
    ),
  );
  for (let kill = 0; kill < options.kills; kill += 1) {
    await sleep(random.int(300, 1_200));
    progress(`${committed.length} entries committed: kill ${kill + 1}`);
    await killAuditor(run);
  }
  stop.abort();
  await writing;
  await untilChained(run.admin);
  // Wait until the newest chain heads are anchored, which takes up to a second.
  await sleep(1_500);
  const { problems } = await parts.verify();
  const compared = await compare(run, committed);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    committed: committed.length,
    kills: options.kills,
    ...compared,
    problems: problems.map(({ kind, position }) => `${kind} ${position}`),
    seconds,
  };
}

/** Writes transactions one after another, so that their order is known, and rolls back one in five. Writers are spread over all accounts. */
async function write(
  pool: RunStack['admin'],
  ids: readonly string[],
  random: Random,
  writer: number,
  signal: AbortSignal,
  committed: string[],
): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    const accountId = ids[writer % ids.length]!;
    const acting = actingByItself({ accountId, environment: 'live' }, 'proof');
    const names = Array.from({ length: random.int(1, 30) }, (_, at) => `${writer}/${round}/${at}`);
    const rollsBack = random.chance(0.2);
    const targetIds = rollsBack ? names.map((name) => `rolled back ${name}`) : names;
    await inTransaction(pool, async (tx) => {
      for (const id of targetIds)
        await record({ newId }, tx, acting, { action: 'user.updated', target: { type: 'user', id } });
      if (rollsBack) throw new Error('rolled back');
    }).then(
      () => committed.push(...names),
      (error: unknown) => {
        if (!rollsBack) throw error;
      },
    );
    if (random.chance(0.3)) await sleep(random.int(1, 20));
  }
}

/** Kills the process whose session holds the auditor's lock, and restarts it. */
async function killAuditor(run: RunStack): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await run.admin.query<{ name: string }>(
      `SELECT substr(a.application_name, length('tributary-auditor-') + 1) AS name
       FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
       WHERE a.application_name LIKE 'tributary-auditor-%'`,
    );
    const victim = run.stack.nodes.find(({ name }) => name === rows[0]?.name);
    if (victim) {
      victim.signal('SIGKILL');
      await victim.start();
      return;
    }
    await sleep(50);
  }
  throw new Error('no process is chaining entries');
}

async function compare({ admin }: RunStack, committed: readonly string[]) {
  const { rows } = await admin.query<{ account: string; name: string }>(
    `SELECT account_id AS account, target_id AS name FROM audit_log WHERE actor_id = 'proof' ORDER BY account_id, position`,
  );
  const counts = new Map<string, number>();
  const lastOfWriter = new Map<string, [number, number]>();
  let outOfOrder = 0;
  for (const { name } of rows) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const [writer = '', round, at] = name.split('/');
    const place: [number, number] = [Number(round), Number(at)];
    const before = lastOfWriter.get(writer);
    if (before && (before[0] > place[0] || (before[0] === place[0] && before[1] >= place[1])))
      outOfOrder += 1;
    lastOfWriter.set(writer, place);
  }
  const known = new Set(committed);
  return {
    missing: committed.filter((name) => !counts.has(name)).length,
    repeated: [...counts.values()].filter((count) => count > 1).length,
    unreal: [...counts.keys()].filter((name) => !known.has(name)).length,
    outOfOrder,
  };
}
