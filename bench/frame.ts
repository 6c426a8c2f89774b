import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatId } from '@tributary/server/testing/ids';
import { progress, startRunStack } from '@tributary/rig';
import { estimateMedian, formatEstimate } from './compare/statistics.ts';
import { measure, type Figure } from './frame/measure.ts';
import { createTargets } from './frame/targets.ts';

/**
 * The cost of the request frame: `GET /v1/users/{id}` with authentication, rate limits and validation, against a bare Fastify route that
 * runs the same SQL on a pool of the same size. Both are measured alternately in one run, and their ratio is the result.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean' }, profile: { type: 'string' } } });
const rounds = values.short ? 3 : 9;
const seconds = values.short ? 3 : 6;
const connections = 32;
const poolSize = 10;
const goal = 0.65;
/** The short run only shows that it works: three seconds on a busy machine are no measurement. */
const bound = values.short ? 0.3 : goal;
/** A key may make 100 requests a second, so the load uses many keys, each at about half of its limit. */
const accounts = 150;
const perKey = 60;

await using run = await startRunStack(1, {
  DATABASE_POOL_SIZE: String(poolSize),
  LOG_LEVEL: 'warn',
  ...(values.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` } : {}),
});
const databaseUrl = run.stack.engines.databaseUrl;
const targets = await createTargets(run, accounts);
using bare = await startBare();

const bareRequests = targets.map(({ account, user }) => ({ path: `/${account}/${user}` }));
const frameRequests = targets.map(({ user, key }) => ({
  path: `/v1/users/${formatId('user', user)}`,
  headers: { authorization: `Bearer ${key}` },
}));

progress('warming up');
const frame = { url: run.stack.info.base_url, pid: run.api[0]!.pid! };
// The compiler takes longer for the larger of the two.
await measure(bare, bareRequests, { connections, duration: 4 });
let keys = accounts;
await measureFrame(values.short ? 6 : 20);
const figures: { bare: Figure; frame: Figure; ratio: number }[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const bareFigure = await measure(bare, bareRequests, { connections, duration: seconds });
  const frameFigure = await measureFrame(seconds);
  figures.push({ bare: bareFigure, frame: frameFigure, ratio: frameFigure.perSecond / bareFigure.perSecond });
  progress(`round ${round} of ${rounds}: ${figures.at(-1)!.ratio.toFixed(2)}`);
}

const ratios = figures.map((figure) => figure.ratio).toSorted((a, b) => a - b);
const median = ratios[Math.floor(ratios.length / 2)]!;
console.table(
  figures.map((figure) => ({
    'bare, requests/s': Math.round(figure.bare.perSecond),
    'frame, requests/s': Math.round(figure.frame.perSecond),
    ratio: Number(figure.ratio.toFixed(2)),
    'bare, CPU us': Math.round(figure.bare.cpuMicros),
    'frame, CPU us': Math.round(figure.frame.cpuMicros),
  })),
);
console.log(
  `GET /v1/users/{id}, ${connections} connections, pool of ${poolSize}, ${rounds} rounds of ${seconds} s, alternating.`,
);
console.log(
  `Ratio: median ${median.toFixed(2)}, from ${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}; goal ${goal}.`,
);
const shown = {
  requests: figures.map(({ ratio }) => ratio),
  'CPU time': figures.map(({ frame, bare }) => frame.cpuMicros / bare.cpuMicros),
};
for (const [what, all] of Object.entries(shown))
  console.log(
    `Frame to bare, ${what}: ${formatEstimate(estimateMedian([all]))}, 95% interval of the median.`,
  );
if (median < bound) process.exitCode = 1;

/**
 * Uses as many keys as the last round needed. With a fixed number, a busy machine would use each key so rarely that the service reloads
 * most of them, and the ratio would fall with the rate.
 */
async function measureFrame(duration: number): Promise<Figure> {
  for (;;) {
    try {
      const figure = await measure(frame, frameRequests.slice(0, keys), { connections, duration });
      keys = Math.min(accounts, Math.max(5, Math.ceil(figure.perSecond / perKey)));
      return figure;
    } catch (error) {
      if (keys === accounts) throw error;
      progress('repeating with all keys: the machine became faster and some keys reached their limit');
      keys = accounts;
    }
  }
}

async function startBare(): Promise<{ url: string; pid: number } & Disposable> {
  const program = fileURLToPath(new URL('./frame-bare.ts', import.meta.url));
  const child = spawn(process.execPath, [program, databaseUrl, String(poolSize)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, pid: child.pid!, [Symbol.dispose]: () => void child.kill() };
}
