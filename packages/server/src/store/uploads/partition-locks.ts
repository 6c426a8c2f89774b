import type { Queryable } from '../database/database.ts';
import { partitionCount } from '../../partitions.ts';

/** Two advisory lock classes per kind of work: one that every worker holds to be counted, and one for the partitions. */
const lockClasses = {
  ingest: { worker: 0x7472_6c31, partition: 0x7472_7031 },
  delivery: { worker: 0x7472_6c32, partition: 0x7472_7032 },
  history: { worker: 0x7472_6c33, partition: 0x7472_7033 },
} as const;

export type PartitionKind = keyof typeof lockClasses;

/**
 * The partitions that one session has locked, of those that the workers of one kind share. The locks end with the session, whatever happens to the
 * process; others take over at their next poll.
 */
export class PartitionShare {
  readonly #session: Queryable;
  readonly #classes: (typeof lockClasses)[PartitionKind];
  readonly #lockedPartitions = new Set<number>();
  /** Partitions to hand over once they are idle, with the time that began. */
  readonly #leaving = new Map<number, number>();

  constructor(session: Queryable, kind: PartitionKind) {
    this.#session = session;
    this.#classes = lockClasses[kind];
  }

  /** Every locked partition. */
  get lockedPartitions(): ReadonlySet<number> {
    return this.#lockedPartitions;
  }

  /** Whether work may start in a partition. */
  mayWorkIn(partition: number): boolean {
    return this.#lockedPartitions.has(partition) && !this.#leaving.has(partition);
  }

  /** Whether a partition has been waiting for this long to be handed over. */
  isLeaving(partition: number, forMs: number): boolean {
    return performance.now() - (this.#leaving.get(partition) ?? Infinity) >= forMs;
  }

  /** Registers this session as one of the workers that share the partitions, until it ends. */
  async join(): Promise<void> {
    await this.#session.query({ text: `SELECT pg_advisory_lock(${this.#classes.worker}, pg_backend_pid())` });
  }

  /** Locks free partitions up to a fair share and releases idle surplus ones. Returns the newly locked partitions. */
  async balance(isIdle: (partition: number) => boolean = () => true): Promise<number[]> {
    const { workerCount, lockedAnywhere } = await this.#readHolders();
    const share = Math.ceil(partitionCount / Math.max(1, workerCount));
    // Idle ones first, so that nothing is interrupted.
    const surplus = [...this.#lockedPartitions]
      .sort((a, b) => Number(isIdle(b)) - Number(isIdle(a)))
      .slice(0, -share);
    for (const partition of this.#leaving.keys())
      if (!surplus.includes(partition)) this.#leaving.delete(partition);
    for (const partition of surplus) {
      if (isIdle(partition)) await this.#unlock(partition);
      else if (!this.#leaving.has(partition)) this.#leaving.set(partition, performance.now());
    }
    const addedPartitions: number[] = [];
    for (
      let partition = 0;
      partition < partitionCount && this.#lockedPartitions.size < share;
      partition += 1
    ) {
      if (!lockedAnywhere.has(partition) && (await this.#tryLock(partition))) addedPartitions.push(partition);
    }
    return addedPartitions;
  }

  /** Number of workers across all nodes, and the partitions that any session has locked, including this one. */
  async #readHolders(): Promise<{ workerCount: number; lockedAnywhere: Set<number> }> {
    const { worker, partition } = this.#classes;
    const result = await this.#session.query<{ workers: number; partitions: number[] | null }>({
      name: `partition-locks/holders-${worker}`,
      text: `SELECT count(*) FILTER (WHERE classid = ${worker}) AS workers,
               array_agg(objid::int4) FILTER (WHERE classid = ${partition}) AS partitions
             FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid IN (${worker}, ${partition})
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    });
    const { workers, partitions } = result.rows[0]!;
    return { workerCount: workers, lockedAnywhere: new Set(partitions) };
  }

  async #tryLock(partition: number): Promise<boolean> {
    const result = await this.#session.query<{ locked: boolean }>({
      name: `partition-locks/try-${this.#classes.partition}`,
      text: `SELECT pg_try_advisory_lock(${this.#classes.partition}, $1) AS locked`,
      values: [partition],
    });
    if (result.rows[0]!.locked) this.#lockedPartitions.add(partition);
    return result.rows[0]!.locked;
  }

  async #unlock(partition: number): Promise<void> {
    const text = `SELECT pg_advisory_unlock(${this.#classes.partition}, $1)`;
    await this.#session.query({ text, values: [partition] });
    this.#lockedPartitions.delete(partition);
    this.#leaving.delete(partition);
  }
}
