import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../bench/report.ts';
import type { StackNode } from '../../packages/stack/src/index.ts';
import type { Random } from '../ingest/random.ts';
import type { World } from './world.ts';

/** Kills the processes that read providers, and brings them back. */
export class Kills {
  readonly #world: World;
  readonly #random: Random;
  readonly #workers: readonly StackNode[];
  readonly #starting = new Map<string, Promise<void>>();
  /** When each of them fell. */
  readonly atMs: number[] = [];
  /** Kills that fell while something was being read. */
  atWork = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random.fork('kills');
    this.#workers = world.run.stack.nodes.filter(({ role }) => role === 'jobs');
  }

  /** Half of them at any moment, half right after the lab has answered. */
  async kill(): Promise<void> {
    const victim = this.#random.pick(this.#workers);
    await this.#starting.get(victim.name);
    if (this.#random.chance(0.5)) await sleep(this.#random.int(0, 400));
    else {
      await Promise.race([this.#world.relay.nextAnswer(), sleep(600)]);
      await sleep(this.#random.int(0, 3));
    }
    const { rows } = await this.#world.run.admin.query<{ count: number }>({
      text: `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
             WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = $1`,
      values: [`tributary-sync-${victim.name}`],
    });
    victim.signal('SIGKILL');
    this.atMs.push(performance.now());
    if (rows[0]!.count > 0) this.atWork += 1;
    this.#start(victim);
  }

  /** Ends when everybody is back. */
  async settle(): Promise<void> {
    await Promise.all(this.#starting.values());
  }

  #start(victim: StackNode): void {
    const starting = victim
      .start()
      .catch((error: unknown) => {
        process.exitCode = 1;
        progress(`${victim.name}: ${String(error)}`);
      })
      .finally(() => this.#starting.delete(victim.name));
    this.#starting.set(victim.name, starting);
  }
}
