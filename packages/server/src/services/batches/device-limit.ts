import { minuteMs } from '@tributary/domain';
import type pg from 'pg';
import { findDeviceKeys } from '../../store/devices/device-keys.ts';

const mostUsers = 20_000;
/** How long an accepted device counts before it is stored. */
const pendingMs = 10 * minuteMs;

/**
 * Limits the devices of a user when an upload arrives, because its device is only stored when the upload is processed. Devices of other nodes whose
 * uploads are still pending are not counted, so a user may exceed the limit by a few.
 */
export class DeviceLimit {
  readonly #db: pg.Pool;
  readonly #most: number;
  /** By user, the devices of accepted uploads and when they were first seen. The users seen last are at the end. */
  readonly #seen = new Map<string, Map<string, number>>();

  constructor(db: pg.Pool, most: number) {
    this.#db = db;
    this.#most = most;
  }

  /** Returns false for a new device of a user who has too many. Reads the database only for devices that this node has not seen. */
  async admits(userId: string, { provider, id }: { provider: string; id: string }): Promise<boolean> {
    const key = `${provider}/${id}`;
    if (this.#seenOf(userId).has(key)) return true;
    const stored = new Set(await findDeviceKeys(this.#db, userId));
    const seen = this.#seenOf(userId);
    const since = performance.now() - pendingMs;
    for (const [other, seenAt] of seen) if (seenAt < since && !stored.has(other)) seen.delete(other);
    if (!stored.has(key) && new Set([...stored, ...seen.keys()]).size >= this.#most) return false;
    seen.set(key, performance.now());
    return true;
  }

  #seenOf(userId: string): Map<string, number> {
    const seen = this.#seen.get(userId) ?? new Map<string, number>();
    this.#seen.delete(userId);
    this.#seen.set(userId, seen);
    if (this.#seen.size > mostUsers) this.#seen.delete(this.#seen.keys().next().value!);
    return seen;
  }
}
