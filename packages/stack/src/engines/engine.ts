import { mkdir, rm } from 'node:fs/promises';
import type { EngineName } from '../binaries.ts';
import { StackError } from '../errors.ts';
import type { Service } from '../service.ts';

/** PostgreSQL, NATS or Redis; it can be killed, paused and started again on the same port and data. */
export interface Engine extends Service {
  readonly name: EngineName;
  readonly url: string;
  readonly port: number;
}

export interface WipeableEngine extends Engine {
  /** Deletes its data; only while it is stopped. */
  wipe(): Promise<void>;
}

/** An engine that makes its data folder when it starts, and can lose it while it is stopped. */
export function wipeableEngine(
  service: Service,
  { name, url, port, data }: { name: EngineName; url: string; port: number; data: string },
): WipeableEngine {
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
      if (service.pid !== undefined) throw new StackError(`Stop ${name} before its data is wiped.`);
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Engines run with what they need of the environment, so that settings of the person do not leak into them. */
export function engineEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...extra };
}

/** Stands for an engine that somebody else runs: it is used, and otherwise left alone. */
export function existingEngine(name: EngineName, url: string, defaultPort: number): WipeableEngine {
  const address = addressIn(url);
  const refuse = (): never => {
    throw new StackError(`${name} at ${address} is not run by this stack.`);
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

/** Host and port, without the password; people also write addresses that are no complete URL. */
export function addressIn(url: string): string {
  return url
    .replace(/^.*:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/[/?].*$/, '');
}
