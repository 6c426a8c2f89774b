import { setTimeout as sleep } from 'node:timers/promises';
import { progress, type Random } from '@tributary/rig';
import type { StackNode } from '@tributary/stack';
import { nameOf, type Consent, type World } from './world.ts';

/** If there is anything to read, a process reads and has requested new tokens by then. */
const patienceMs = 3_000;

/** Kills the processes that sync, and restarts them. */
export class Kills {
  readonly #world: World;
  readonly #random: Random;
  readonly #workers: readonly StackNode[];
  readonly #starting = new Map<string, Promise<void>>();
  /** Total number of kills. */
  count = 0;
  /** Kills while the process was syncing a connection. */
  atWork = 0;
  /** Kills while new tokens were on their way to the process. */
  atRefresh = 0;
  readonly #deviceOf: ReadonlyMap<string, string>;

  constructor(world: World, consents: readonly Consent[]) {
    this.#world = world;
    this.#deviceOf = new Map(consents.map((consent) => [nameOf(consent), consent.deviceId]));
    this.#random = world.random.fork('kills');
    this.#workers = world.run.stack.nodes.filter(({ role }) => role === 'jobs');
  }

  /**
   * Kills a process that is syncing: a third at any moment, a third right after a response from the lab, and a third between new tokens and
   * their commit.
   */
  async kill(): Promise<void> {
    if (this.#up().length === 0) await Promise.race(this.#starting.values());
    const kind = this.#random.int(0, 2);
    // The first call of a run refreshes tokens, so waiting for a busy process would be too late.
    if (kind === 2) return this.#killAtRefresh();
    await this.#awaitWork();
    if (kind === 0) await sleep(this.#random.int(0, 100));
    else
      for (let responseCount = this.#random.int(1, 12); responseCount > 0; responseCount -= 1)
        await Promise.race([this.#world.relay.nextResponse(), sleep(60)]);
    await this.#killOneOf(await this.#listBusy());
  }

  /** Kills the process that syncs the connection whose new tokens the lab has just issued, before any process receives them. */
  async #killAtRefresh(): Promise<void> {
    const next = this.#world.relay.holdRefresh();
    const late = sleep(patienceMs).then(() => null);
    const refresh = await Promise.race([next.refresh, late]);
    next.giveUp();
    const deviceId = refresh ? (this.#deviceOf.get(refresh.consent) ?? null) : null;
    const reading = deviceId === null ? [] : await this.#listBusy(deviceId);
    if (reading.length > 0) this.atRefresh += 1;
    await this.#killOneOf(reading);
    refresh?.release();
  }

  /** Kills one of these processes, or any busy one if they have finished. */
  async #killOneOf(candidates: readonly StackNode[]): Promise<void> {
    const busy = candidates.length > 0 ? candidates : await this.#awaitWork();
    const victim = this.#random.pick(busy.length > 0 ? busy : this.#up());
    if (busy.length > 0) this.atWork += 1;
    this.count += 1;
    killOnlyThis(victim);
    this.#start(victim);
  }

  /** Resolves when all processes are running. */
  async untilRunning(): Promise<void> {
    await Promise.all(this.#starting.values());
  }

  #up(): StackNode[] {
    return this.#workers.filter(({ name }) => !this.#starting.has(name));
  }

  /** Waits for busy processes. Returns none if there is nothing to do. */
  async #awaitWork(): Promise<StackNode[]> {
    const until = performance.now() + patienceMs;
    let busy = await this.#listBusy();
    while (busy.length === 0 && performance.now() < until) {
      await sleep(5);
      busy = await this.#listBusy();
    }
    return busy;
  }

  /** Processes that hold the lock of a connection, or of this one, to read it or to store what they read. */
  async #listBusy(deviceId: string | null = null): Promise<StackNode[]> {
    const { rows } = await this.#world.run.admin.query<{ name: string }>({
      text: `SELECT DISTINCT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
             WHERE l.locktype = 'advisory' AND l.granted AND a.application_name LIKE 'tributary-sync-%'
               AND ($1::text IS NULL OR (l.classid::int8 << 32) | l.objid::int8 = hashtextextended('sync:' || $1, 0))`,
      values: [deviceId],
    });
    const names = new Set(rows.map(({ name }) => name));
    return this.#up().filter(({ name }) => names.has(`tributary-sync-${name}`));
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

/**
 * Kills only this process, as the kernel's out-of-memory killer does. The stack's own kill would end its children too; the second signal
 * marks the exit as expected.
 */
function killOnlyThis(victim: StackNode): void {
  process.kill(victim.pid!, 'SIGKILL');
  victim.signal('SIGTERM');
}
