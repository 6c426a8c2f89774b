import { setTimeout as sleep } from 'node:timers/promises';
import { progress, type Random } from '@tributary/rig';
import type { StackNode } from '@tributary/stack';
import { nameOf, type Consent, type World } from './world.ts';

/** By then somebody reads, and has asked for new tokens, if there is anything to be read. */
const patienceMs = 3_000;

/** Kills the processes that read providers, and brings them back. */
export class Kills {
  readonly #world: World;
  readonly #random: Random;
  readonly #workers: readonly StackNode[];
  readonly #starting = new Map<string, Promise<void>>();
  /** How many there were. */
  count = 0;
  /** Those that fell while the process was at work on a connection. */
  atWork = 0;
  /** Those that fell while new tokens were on their way to the process. */
  atRefresh = 0;
  readonly #deviceOf: ReadonlyMap<string, string>;

  constructor(world: World, consents: readonly Consent[]) {
    this.#world = world;
    this.#deviceOf = new Map(consents.map((consent) => [nameOf(consent), consent.deviceId]));
    this.#random = world.random.fork('kills');
    this.#workers = world.run.stack.nodes.filter(({ role }) => role === 'jobs');
  }

  /** Somebody who is at work: a third at any moment, a third right after some answer of the lab, a third between new tokens and their commit. */
  async kill(): Promise<void> {
    if (this.#up().length === 0) await Promise.race(this.#starting.values());
    const kind = this.#random.int(0, 2);
    // Tokens are renewed by the first call of a run: whoever waits for work first is too late.
    if (kind === 2) return this.#killAtRefresh();
    await this.#awaitWork();
    if (kind === 0) await sleep(this.#random.int(0, 100));
    else
      for (let answers = this.#random.int(1, 12); answers > 0; answers -= 1)
        await Promise.race([this.#world.relay.nextAnswer(), sleep(60)]);
    await this.#killOneOf(await this.#listBusy());
  }

  /** Whoever reads the connection whose new tokens the lab has just given out, before anybody hears of them. */
  async #killAtRefresh(): Promise<void> {
    const next = this.#world.relay.holdRefresh();
    const late = sleep(patienceMs).then(() => null);
    const held = await Promise.race([next.held, late]);
    next.giveUp();
    const deviceId = held ? (this.#deviceOf.get(held.consent) ?? null) : null;
    const reading = deviceId === null ? [] : await this.#listBusy(deviceId);
    if (reading.length > 0) this.atRefresh += 1;
    await this.#killOneOf(reading);
    held?.release();
  }

  /** Where those who were meant have ended meanwhile, the next who is at work. */
  async #killOneOf(meant: readonly StackNode[]): Promise<void> {
    const busy = meant.length > 0 ? meant : await this.#awaitWork();
    const victim = this.#random.pick(busy.length > 0 ? busy : this.#up());
    if (busy.length > 0) this.atWork += 1;
    this.count += 1;
    killAlone(victim);
    this.#start(victim);
  }

  /** Ends when everybody is back. */
  async settle(): Promise<void> {
    await Promise.all(this.#starting.values());
  }

  #up(): StackNode[] {
    return this.#workers.filter(({ name }) => !this.#starting.has(name));
  }

  /** Who is at work, as soon as anybody is; nobody, where there is nothing to do. */
  async #awaitWork(): Promise<StackNode[]> {
    const until = performance.now() + patienceMs;
    let busy = await this.#listBusy();
    while (busy.length === 0 && performance.now() < until) {
      await sleep(5);
      busy = await this.#listBusy();
    }
    return busy;
  }

  /** Those who hold a connection, or this one: they read it, or write down what they have read. */
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

/** One process, as the kernel does that has no memory left. The stack would end its children, too; that the end is meant, it hears from the second signal. */
function killAlone(victim: StackNode): void {
  process.kill(victim.pid!, 'SIGKILL');
  victim.signal('SIGTERM');
}
