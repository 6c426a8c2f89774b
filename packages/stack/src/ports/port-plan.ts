import { StackError } from '../errors.ts';
import { freePort, isPortFree } from './ports.ts';

export const DEFAULT_API_PORT = 8080;

export interface EnginePorts {
  postgres: number;
  nats: number;
  redis: number;
}

export interface MailPorts {
  smtp: number;
  mail: number;
}

export interface PortPlan extends EnginePorts, MailPorts {
  lab: number;
  api: number[];
  metrics: number[];
}

export interface PortNeed {
  port: number;
  use: string;
}

export interface PortCounts {
  api: number;
  metrics: number;
}

/** Fixed ports, so that URLs stay the same from one start to the next. */
export function fixedPorts(port: number, counts: PortCounts): PortPlan {
  // Another API port shifts every other port, so that two stacks can run side by side.
  const moved = port !== DEFAULT_API_PORT;
  return {
    api: consecutive(port, counts.api),
    metrics: consecutive(moved ? port + 100 : 9464, counts.metrics),
    postgres: moved ? port + 200 : 54_329,
    nats: moved ? port + 201 : 42_229,
    redis: moved ? port + 202 : 63_799,
    smtp: moved ? port + 203 : 10_259,
    mail: moved ? port + 204 : 10_809,
    lab: moved ? port + 205 : 10_909,
  };
}

/** Free ports for a temporary stack. A requested API port is kept. */
export async function ephemeralPorts(port: number | undefined, counts: PortCounts): Promise<PortPlan> {
  return {
    api: port === undefined ? await freePorts(counts.api) : consecutive(port, counts.api),
    metrics: await freePorts(counts.metrics),
    ...(await freeEnginePorts()),
    smtp: await freePort(),
    mail: await freePort(),
    lab: await freePort(),
  };
}

export async function freeEnginePorts(): Promise<EnginePorts> {
  return { postgres: await freePort(), nats: await freePort(), redis: await freePort() };
}

export async function assertPortsFree(needs: readonly PortNeed[]): Promise<void> {
  const free = await Promise.all(needs.map(({ port }) => isPortFree(port)));
  const usedPorts = needs.filter((_, index) => !free[index]);
  if (usedPorts.length > 0) throw new StackError(usedPortsMessage(usedPorts));
}

function usedPortsMessage(usedPorts: readonly PortNeed[]): string {
  const lines = usedPorts.map(
    ({ port, use }) => `Port ${port} on 127.0.0.1 is in use. The stack needs it for ${use}.`,
  );
  return [
    ...lines,
    '',
    'Options:',
    '  --port N      use other ports: N for the API, and ports near N for the rest',
    '  --ephemeral   start a temporary stack on free ports',
  ].join('\n');
}

function consecutive(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}
