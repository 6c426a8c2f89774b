import { setTimeout as sleep } from 'node:timers/promises';
import { progress, type RunStack } from '@tributary/rig';
import type { Fault } from './faults.ts';

/** How often a process may fail to start while other parts are down. */
const mostStarts = 20;
/** Maximum number of parts that are down at the same time. */
const mostDown = 3;

interface Process {
  readonly name: string;
  readonly pid: number | undefined;
  signal: (signal: NodeJS.Signals) => void;
  start: () => Promise<void>;
}

/** Kills, freezes and restarts parts of a stack. Several may be down at the same time, each for its own reason. */
export class Victims {
  readonly #processes: Map<string, Process>;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #onFreeze: (victim: string, woken: AbortSignal) => void;
  /** Number of kills by name. */
  readonly killed = new Map<string, number>();
  freezes = 0;
  /** Starts that failed because another part was down, and were repeated. */
  failedStarts = 0;

  constructor(
    { stack: { engines, nodes } }: RunStack,
    onFreeze: (victim: string, woken: AbortSignal) => void,
  ) {
    const all: Process[] = [engines.postgres, engines.nats, engines.redis, ...nodes];
    this.#processes = new Map(all.map((process) => [process.name, process]));
    this.#onFreeze = onFreeze;
  }

  get kills(): number {
    return [...this.killed.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Causes one fault after another, each at its time, until `isEnough`. Resolves when everything runs again. */
  async suffer(faults: Iterable<Fault>, isEnough: () => boolean): Promise<void> {
    for (const fault of faults) {
      await sleep(fault.afterMs);
      if (isEnough()) break;
      // The next fault of a part that is still down waits until it is back. Faults of other parts do not wait.
      this.#then(fault.victim, () => this.#happen(fault));
      while (this.#busy.size > mostDown) await Promise.race(this.#busy.values());
    }
    await this.untilRunning();
  }

  kill(victim: string): void {
    this.#processes.get(victim)!.signal('SIGKILL');
    this.killed.set(victim, (this.killed.get(victim) ?? 0) + 1);
  }

  /** Starts a part. The start is retried, because it can fail while another part is down. */
  async revive(victim: string): Promise<void> {
    const process = this.#processes.get(victim)!;
    for (let starts = 1; ; starts += 1) {
      try {
        return await process.start();
      } catch (error) {
        if (starts === mostStarts) throw error;
        this.failedStarts += 1;
        await sleep(300);
      }
    }
  }

  /** Restarts a process that exited on its own. */
  mourn(name: string): void {
    this.#then(name, () => this.revive(name));
  }

  /** Waits until everything runs. */
  async untilRunning(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  async #happen({ kind, victim, pauseMs }: Fault): Promise<void> {
    const process = this.#processes.get(victim)!;
    if (kind === 'kill') {
      this.kill(victim);
      await sleep(pauseMs);
      return this.revive(victim);
    }
    const woken = new AbortController();
    process.signal('SIGSTOP');
    this.freezes += 1;
    this.#onFreeze(victim, woken.signal);
    await sleep(pauseMs);
    woken.abort();
    process.signal('SIGCONT');
  }

  #then(name: string, act: () => Promise<void>): void {
    const acting = (this.#busy.get(name) ?? Promise.resolve())
      .then(act)
      .catch((error: unknown) => {
        process.exitCode = 1;
        progress(`${name}: ${String(error)}`);
      })
      .finally(() => {
        if (this.#busy.get(name) === acting) this.#busy.delete(name);
      });
    this.#busy.set(name, acting);
  }
}
