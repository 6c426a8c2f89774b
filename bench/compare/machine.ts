import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that all threads of a process have used, in microseconds. The kernel counts nanoseconds, and only Linux exposes it. */
export function processorMicrosOf(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1000;
}

/** Time of all cores since boot, in kernel ticks. */
export interface MachineTime {
  total: number;
  idle: number;
  steal: number;
}

/** Parses the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is part of user. */
export function parseMachineTime(stat: string): MachineTime {
  const fields = stat.slice(0, stat.indexOf('\n')).trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = NaN, waiting = NaN, , , steal = NaN] = fields;
  return { total: fields.reduce((sum, ticks) => sum + ticks, 0), idle: idle + waiting, steal };
}

export function readMachineTime(): MachineTime {
  if (process.platform !== 'linux') return { total: NaN, idle: NaN, steal: NaN };
  return parseMachineTime(readFileSync('/proc/stat', 'utf8'));
}

/** Shares of the machine's time between two readings: used by the hypervisor for other guests, and idle. */
export function machineShares(before: MachineTime, after: MachineTime): { steal: number; idle: number } {
  const total = after.total - before.total;
  return { steal: (after.steal - before.steal) / total, idle: (after.idle - before.idle) / total };
}

const probeSteps = 2_000_000;
let probeState = 1;

/**
 * Nanoseconds of processor time that one step of a fixed loop takes now. It also rises if a hypervisor throttles the machine without
 * reporting steal.
 */
export function probeSpeed(): number {
  const before = process.threadCpuUsage().user;
  for (let step = 0; step < probeSteps; step += 1) probeState = (Math.imul(probeState, 31) + step) | 0;
  return ((process.threadCpuUsage().user - before) * 1000) / probeSteps;
}
