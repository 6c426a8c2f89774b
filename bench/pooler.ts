import { parseArgs } from 'node:util';
import { progress, Report, type RunStack, startRunStack } from '@tributary/rig';
import { formatId } from '@tributary/server/testing/ids';
import { estimateMedian, formatEstimate } from './compare/statistics.ts';
import { measure, type Figure } from './frame/measure.ts';
import { createTargets } from './frame/targets.ts';
import { fetchPgBouncer } from './pooler/newer-pgbouncer.ts';

/**
 * The cost of a pooler: `GET /v1/users/{id}` of a service with 200 connections to PgBouncer in transaction mode, which has 20 connections to
 * PostgreSQL, against a service with 20 direct connections. Both are measured alternately in one run.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const rounds = values.short ? 3 : 9;
const seconds = values.short ? 3 : 6;
const clients = 200;
const serverConnections = 20;
/** The short run only shows that it works: three seconds on a busy machine are no measurement. */
const bound = values.short ? 0.3 : 0.85;
/** A key may make 100 requests a second. */
const accounts = 150;

// The short form runs with the installed version, so that CI downloads nothing.
if (!values.short) process.env['PGBOUNCER'] ??= await fetchPgBouncer();
const { arrangePooler } = await import('@tributary/server/testing/pooler');

await using resources = new AsyncDisposableStack();
const env = { LOG_LEVEL: 'warn' };
const direct = await startRunStack(1, { ...env, DATABASE_POOL_SIZE: String(serverConnections) });
resources.use(direct);
const targets = await createTargets(direct, accounts);
const pooled = resources.use(await startPooled(direct));

const requests = targets.map(({ user, key }) => ({
  path: `/v1/users/${formatId('user', user)}`,
  headers: { authorization: `Bearer ${key}` },
}));
const sides = [direct, pooled].map(({ api }) => ({ url: api[0]!.baseUrl, pid: api[0]!.pid! }));
const run = (at: number, duration: number): Promise<Figure> =>
  measure(sides[at]!, requests, { connections: clients, duration });

progress('warming up');
for (const at of [0, 1]) await run(at, values.short ? 5 : 15);
const figures: { direct: Figure; pooled: Figure; ratio: number }[] = [];
for (let round = 1; round <= rounds; round += 1) {
  // Each goes first in half of the rounds.
  const order = round % 2 === 0 ? [0, 1] : [1, 0];
  const both: Figure[] = [];
  for (const at of order) both[at] = await run(at, seconds);
  const [own, through] = both as [Figure, Figure];
  figures.push({ direct: own, pooled: through, ratio: through.perSecond / own.perSecond });
  progress(`round ${round} of ${rounds}: ${figures.at(-1)!.ratio.toFixed(2)}`);
}

console.table(
  figures.map((figure) => ({
    'direct, requests/s': Math.round(figure.direct.perSecond),
    'pooler, requests/s': Math.round(figure.pooled.perSecond),
    ratio: Number(figure.ratio.toFixed(2)),
    'direct, CPU us': Math.round(figure.direct.cpuMicros),
    'pooler, CPU us': Math.round(figure.pooled.cpuMicros),
  })),
);
const ratio = estimateMedian([figures.map((figure) => figure.ratio)]);
const report = new Report();
report.bound(
  `throughput of ${clients} connections over ${serverConnections}, relative to ${serverConnections} direct ones`,
  formatEstimate(ratio),
  `≥ ${bound}`,
  ratio.median >= bound,
);
report.print('A pooler in transaction mode');

/** A second service on the same engines, behind a pooler. */
async function startPooled({ admin, stack }: RunStack): Promise<RunStack> {
  const { databaseUrl, natsUrl, redisUrl } = stack.engines;
  const settings = await arrangePooler({ admin, url: databaseUrl }, resources, serverConnections);
  return startRunStack(
    1,
    {
      ...env,
      ...settings,
      DATABASE_OWNER_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(clients),
      ENCRYPTION_KEYS: stack.encryptionKeys,
    },
    { existing: { databaseUrl, natsUrl, redisUrl } },
  );
}
