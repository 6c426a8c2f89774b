import type { RunStack } from '@tributary/rig';
import { setTimeout as sleep } from 'node:timers/promises';

/** The class of the advisory locks that represent partitions. */
const partitionClass = 0x7472_7031;

/** How long a session may be silent before the database ends it. */
const patienceMs = 5_000;

/** Checks that a process frozen for longer than the session timeout loses its partitions to others before it resumes. */
export class Freezes {
  readonly #db: RunStack['admin'];
  /** For each process that held partitions when it was frozen, the time until it held none. */
  readonly movedMs: number[] = [];
  /** Frozen processes that still held partitions when they resumed. */
  stuck = 0;

  constructor(db: RunStack['admin']) {
    this.#db = db;
  }

  async watch(victim: string, woken: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    for (let hadSome = false; ; hadSome = true) {
      await sleep(100);
      const lockCount = await this.#countLocks(victim).catch(() => null);
      if (lockCount === null) return; // the database is down, and no lock survives that
      if (lockCount === 0) {
        if (hadSome) this.movedMs.push(performance.now() - startedAt);
        return;
      }
      if (woken.aborted) {
        if (performance.now() - startedAt > patienceMs) this.stuck += 1;
        return;
      }
    }
  }

  async #countLocks(victim: string): Promise<number> {
    const { rows } = await this.#db.query<{ count: number }>(
      `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND a.application_name = $2`,
      [partitionClass, `tributary-ingest-${victim}`],
    );
    return rows[0]!.count;
  }
}
