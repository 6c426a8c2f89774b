import type pg from 'pg';
import type { Tenant } from '../../store/tenant.ts';
import { findReadUsers, type ReadUser } from '../../store/user-read.ts';

/** Statements that run at the same time; while they do, further questions gather. */
const mostRunning = 2;
/** Questions that one statement answers, at most. */
const mostTogether = 64;

interface Waiting {
  tenant: Tenant;
  userId: string;
  resolve: (user: ReadUser | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks for the versions of users together. A client that has an answer already costs no more than this look, so many of them come at
 * once: a lone question goes out alone, and under load one round trip answers many. Each row is read behind its own tenant's walls.
 */
export class VersionLookup {
  readonly #db: pg.Pool;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /** The user as reads see it, or null when this tenant has no such user. */
  find(tenant: Tenant, userId: string): Promise<ReadUser | null> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadUser | null>();
    this.#waiting.push({ tenant, userId, resolve, reject });
    if (this.#running < mostRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, mostTogether);
      try {
        const users = await findReadUsers(this.#db, group);
        for (const [at, { resolve }] of group.entries()) resolve(users[at] ?? null);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running -= 1;
  }
}
