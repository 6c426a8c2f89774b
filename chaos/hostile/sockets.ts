import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { progress, readMetrics, type Report, type RunStack, startRunStack } from '@tributary/rig';
import { Bystanders, createUploadTokens, type Observation, reportBystanders } from './bystanders.ts';
import type { Scenario, Setup } from './scenario.ts';
import { unfinishedPush } from './sockets/attacks.ts';
import type { AttackPlan } from './sockets/attack-worker.ts';
import { HostileSocket } from './sockets/hostile-socket.ts';
import { plants } from './sockets/plants.ts';

const pushes = 1_000;
const megabyte = 1024 * 1024;

const forms = {
  short: {
    calmMs: 6_000,
    pushMs: 5_000,
    attackMs: 12_000,
    addresses: 30,
    sockets: 3_000,
    ratio: 100,
    healthMs: 5_000,
    memoryMb: 640,
  },
  full: {
    calmMs: 20_000,
    pushMs: 10_000,
    attackMs: 60_000,
    addresses: 50,
    sockets: 5_000,
    ratio: 1.2,
    healthMs: 100,
    memoryMb: 512,
  },
};

type Form = (typeof forms)[keyof typeof forms];

/** Clients that open many connections and do not finish their requests. */
export const sockets: Scenario = {
  name: 'sockets',
  title: 'Unfinished requests from many addresses',
  plants,
  async run({ program, isShort, report }: Setup) {
    const form = isShort ? forms.short : forms.full;
    requireFiles(2 * form.sockets + 2_000);
    await using running = await startRunStack(['api'], {}, { program });
    using bystanders = await Bystanders.create(running);
    const tokens = await createUploadTokens(running, 'Attacker', 6);
    const calm = await bystanders.observe(() => sleep(form.calmMs));
    const calmBytes = await readMemory(running);
    let mostBytes = 0;
    const attacked = await watchMemory(
      running,
      async () => {
        const first = await bystanders.observe(() => attackWithPushes(running, form, report));
        progress(`attacking with ${form.sockets} sockets from ${form.addresses} addresses`);
        const plan = { ...planOf(running), ...form, tokens, uploadsPerToken: 15 };
        const second = await bystanders.observe(() => attack(plan, report));
        return join(first, second);
      },
      (bytes) => (mostBytes = Math.max(mostBytes, bytes)),
    );
    reportBystanders(report, calm, attacked, form);
    report.bound(
      'memory of the api process',
      `${Math.round(mostBytes / megabyte)} MB, ${Math.round(calmBytes / megabyte)} MB before`,
      `≤ ${form.memoryMb} MB`,
      mostBytes <= form.memoryMb * megabyte,
    );
  },
};

function planOf({ api }: RunStack): Pick<AttackPlan, 'port' | 'publicUrl'> {
  const { baseUrl } = api[0]!;
  return { port: Number(new URL(baseUrl).port), publicUrl: baseUrl };
}

/** Pushes to an unknown URL get a response although their bodies never arrive. */
async function attackWithPushes(running: RunStack, { pushMs }: Form, report: Report): Promise<void> {
  progress(`attacking with ${pushes} unfinished pushes`);
  let responses = 0;
  const { port } = planOf(running);
  const opened = Array.from(
    { length: pushes },
    () => new HostileSocket(port, '127.0.0.1', unfinishedPush, () => (responses += 1)),
  );
  for (const socket of opened) socket.step();
  await sleep(pushMs);
  for (const socket of opened) socket.close();
  report.bound(
    'unfinished pushes to an unknown URL with a response',
    `${responses} of ${pushes}`,
    `${pushes}`,
    responses >= pushes,
  );
}

async function attack(plan: AttackPlan, report: Report): Promise<void> {
  const worker = new Worker(new URL('sockets/attack-worker.ts', import.meta.url), { workerData: plan });
  const [statuses] = (await once(worker, 'message')) as [Record<string, number>];
  await worker.terminate();
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  report.note('responses to attackers', counts.join(', '));
}

async function readMemory({ api }: RunStack): Promise<number> {
  const samples = await readMetrics(api[0]!);
  for (const [name, value] of samples) if (name.startsWith('process_resident_memory_bytes')) return value;
  throw new Error('The service does not report its memory.');
}

async function watchMemory<T>(
  running: RunStack,
  during: () => Promise<T>,
  onSample: (bytes: number) => void,
): Promise<T> {
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      onSample(await readMemory(running));
      await sleep(500);
    }
  })();
  try {
    return await during();
  } finally {
    stop.abort();
    await watching;
  }
}

function join(first: Observation, second: Observation): Observation {
  return {
    requests: [...first.requests, ...second.requests],
    healthChecks: [...first.healthChecks, ...second.healthChecks],
  };
}

/** Every connection is an open file on both sides. */
function requireFiles(needed: number): void {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  if (limit !== 'unlimited' && Number(limit) < needed)
    throw new Error(
      `This scenario needs ${needed} open files, and the limit is ${limit}: run \`ulimit -n ${needed}\``,
    );
}
