import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../bench/report.ts';
import type { StackNode } from '../../packages/stack/src/index.ts';
import type { Random } from '../ingest/random.ts';
import { unsealTokens } from '../../packages/server/src/services/connections/seal-tokens.ts';
import type { Issue } from './relay.ts';
import { keyringOf, nameOf, type Consent, type World } from './world.ts';

/** By then somebody reads, if there is anything to be read. */
const firstAnswerMs = 2_000;
/** What a process sent before it died may be read this much later, */
const latestMs = 1_000;
/** and what was answered this much earlier not be committed yet. */
const longestCommitMs = 5_000;

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
  /** Refreshes that the lab answered and whose tokens were not in the database after a kill. */
  readonly cut = new Set<Issue>();
  readonly #deviceOf: ReadonlyMap<string, string>;
  #unnoted: number[] = [];

  constructor(world: World, consents: readonly Consent[]) {
    this.#world = world;
    this.#deviceOf = new Map(consents.map((consent) => [nameOf(consent), consent.deviceId]));
    this.#random = world.random.fork('kills');
    this.#workers = world.run.stack.nodes.filter(({ role }) => role === 'jobs');
  }

  /** When something is being read: half of them at any moment, half right after some answer of the lab. */
  async kill(): Promise<void> {
    const victim = this.#random.pick(this.#workers);
    await this.#starting.get(victim.name);
    await Promise.race([this.#world.relay.nextAnswer(), sleep(firstAnswerMs)]);
    if (this.#random.chance(0.5)) await sleep(this.#random.int(0, 400));
    else {
      for (let answers = this.#random.int(1, 12); answers > 0; answers -= 1)
        await Promise.race([this.#world.relay.nextAnswer(), sleep(60)]);
      await sleep(this.#random.int(0, 3));
    }
    const { rows } = await this.#world.run.admin.query<{ count: number }>({
      text: `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
             WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = $1`,
      values: [`tributary-sync-${victim.name}`],
    });
    victim.signal('SIGKILL');
    this.atMs.push(performance.now());
    this.#unnoted.push(performance.now());
    if (rows[0]!.count > 0) this.atWork += 1;
    this.#start(victim);
  }

  /** Compares what the lab gave out around the kills so far with what is stored, when nobody is at work. */
  async noteCut(): Promise<void> {
    const { run, relay } = this.#world;
    const around = relay.issues.filter(
      ({ isRefresh, isUsed, askedMs, atMs }) =>
        isRefresh &&
        !isUsed &&
        this.#unnoted.some((killMs) => askedMs <= killMs + latestMs && atMs >= killMs - longestCommitMs),
    );
    this.#unnoted = [];
    for (const issue of around) {
      const deviceId = this.#deviceOf.get(issue.consent) ?? '';
      const { rows } = await run.admin.query<{ tokens: Buffer | null }>({
        text: 'SELECT tokens FROM connections WHERE device_id = $1',
        values: [deviceId],
      });
      const sealed = rows[0]?.tokens;
      const stored = sealed ? unsealTokens(keyringOf(this.#world), deviceId, sealed).accessToken : '';
      if (!issue.secrets.includes(stored)) this.cut.add(issue);
    }
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
