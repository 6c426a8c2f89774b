import { readdir, readFile } from 'node:fs/promises';
import type { RunStack } from './run-stack.ts';

/** CPU seconds that each part has used so far, including its child processes. `load` is this process. */
export async function cpuSeconds({ stack }: RunStack): Promise<Record<string, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = (await Promise.all(pids.map(readProcess))).filter((entry) => entry !== null);
  const ofTree = (root: number | undefined) =>
    processes
      .filter(({ pid, parent }) => pid === root || parent === root)
      .reduce((sum, { ticks, childTicks, pid }) => sum + ticks + (pid === root ? childTicks : 0), 0) / 100;
  const { user, system } = process.cpuUsage();
  return {
    ...Object.fromEntries(stack.nodes.map(({ role, pid }) => [role, ofTree(pid)])),
    postgres: ofTree(stack.engines.postgres.pid),
    nats: ofTree(stack.engines.nats.pid),
    load: (user + system) / 1e6,
  };
}

/** Reads fields 4, 14 and 15 from /proc, and 16 and 17 for children that have exited. */
async function readProcess(pid: string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0] = fields.slice(1);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
  return { pid: Number(pid), parent, ticks: user + system, childTicks: childUser + childSystem };
}
