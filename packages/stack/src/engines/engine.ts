import { mkdir, rm } from 'node:fs/promises';
import type { EngineName } from './binaries.ts';
import { StackError } from '../errors.ts';
import type { Service } from '../service/service.ts';

/** PostgreSQL, NATS or Redis. It can be killed, paused and started again on the same port and data. */
export interface Engine extends Service {
  readonly name: EngineName;
  readonly url: string;
  readonly port: number;
}

export interface ResettableEngine extends Engine {
  /** Deletes its data. Only allowed while it is stopped. */
  wipe(): Promise<void>;
}

/** An engine that creates its data folder when it starts, and can lose it while it is stopped. */
export function resettableEngine(
  service: Service,
  { name, url, port, data }: { name: EngineName; url: string; port: number; data: string },
): ResettableEngine {
  return {
    name,
    url,
    port,
    get pid() {
      return service.pid;
    },
    stop: service.stop,
    signal: service.signal,
    async start() {
      await mkdir(data, { recursive: true, mode: 0o700 });
      await service.start();
    },
    async wipe() {
      if (service.pid !== undefined) throw new StackError(`Stop ${name} before you wipe its data.`);
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Engines get only the environment variables they need, so that the user's settings do not leak into them. */
export function engineEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...extra };
}

/** Represents an engine that runs elsewhere. It is used but never stopped or wiped. */
export function existingEngine(name: EngineName, url: string, defaultPort: number): ResettableEngine {
  const address = addressIn(url);
  const refuse = (): never => {
    throw new StackError(`This stack does not run ${name} at ${address}.`);
  };
  return {
    name,
    url,
    port: Number(/:(\d+)$/.exec(address)?.[1] ?? defaultPort),
    pid: undefined,
    start: async () => {},
    stop: async () => {},
    signal: refuse,
    wipe: async () => refuse(),
  };
}

/** Host and port, without the password. Also accepts addresses that are not complete URLs. */
export function addressIn(url: string): string {
  return url
    .replace(/^.*:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/[/?].*$/, '');
}
