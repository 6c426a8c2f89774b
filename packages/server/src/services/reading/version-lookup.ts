import type pg from 'pg';
import type { Tenant } from '../../store/database/tenant.ts';
import { findReadUsers, type ReadUser } from '../../store/users/read.ts';

/** Concurrent statements. While they run, further lookups queue up. */
const mostRunning = 2;
/** Maximum number of lookups per statement. */
const mostTogether = 64;

interface Waiting {
  tenant: Tenant;
  userId: string;
  resolve: (user: ReadUser | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up user versions in groups. A conditional request of a client with a current copy costs only this lookup, so these requests are frequent. A
 * single lookup runs immediately. Under load, one round trip serves many. Each row is read within its own tenant's row-level security scope.
 */
export class VersionLookup {
  readonly #db: pg.Pool;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /** Returns the user, or null if this tenant has no such user. */
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
