import type { RunStack } from '@tributary/rig';
import { setTimeout as sleep } from 'node:timers/promises';

/** The class of the advisory locks that stand for partitions. */
const partitionClass = 0x7472_7031;

/** How long a session may fall silent before the database ends it. */
const patienceMs = 5_000;

/** Watches whether a process that is frozen for longer than others have patience loses its partitions to them before it wakes. */
export class Freezes {
  readonly #db: RunStack['admin'];
  /** After how long each process that held some when it was frozen held no partition any more. */
  readonly movedMs: number[] = [];
  /** Frozen processes that still held partitions when they woke. */
  stuck = 0;

  constructor(db: RunStack['admin']) {
    this.#db = db;
  }

  async watch(victim: string, woken: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    for (let hadSome = false; ; hadSome = true) {
      await sleep(100);
      const held = await this.#countHeld(victim).catch(() => null);
      if (held === null) return; // the database itself is down, and no lock outlives it
      if (held === 0) {
        if (hadSome) this.movedMs.push(performance.now() - startedAt);
        return;
      }
      if (woken.aborted) {
        if (performance.now() - startedAt > patienceMs) this.stuck += 1;
        return;
      }
    }
  }

  async #countHeld(victim: string): Promise<number> {
    const { rows } = await this.#db.query<{ count: number }>(
      `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND a.application_name = $2`,
      [partitionClass, `tributary-ingest-${victim}`],
    );
    return rows[0]!.count;
  }
}
