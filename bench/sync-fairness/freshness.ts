import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Member, World } from './world.ts';

/** One record that appeared at a provider, and the time until the API could return it. */
export interface Sample {
  provider: string;
  ms: number;
  /** False if it never appeared, so that it took longer than `ms`. */
  isSeen: boolean;
}

/** Records per second to release, by provider. */
export type Pace = Readonly<Record<string, number>>;

/** How long to wait after a window for records released in it. */
const patienceMs = 20_000;

/** Notifies at the commit that a record of a live user became visible to the API. */
const notifyOnCommit = `
  CREATE TABLE fairness_live (user_id uuid PRIMARY KEY);
  CREATE FUNCTION fairness_notify() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    IF EXISTS (SELECT FROM fairness_live l WHERE l.user_id = NEW.user_id) THEN
      PERFORM pg_notify('fairness', NEW.user_id::text);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER fairness AFTER INSERT ON canonical_workouts FOR EACH ROW EXECUTE FUNCTION fairness_notify();
  CREATE TRIGGER fairness AFTER INSERT OR UPDATE ON sample_chunks FOR EACH ROW EXECUTE FUNCTION fairness_notify();`;

/** Watches when records of the live account's users become visible. */
export class Watch implements AsyncDisposable {
  readonly #world: World;
  readonly #members: ReadonlyMap<string, readonly Member[]>;
  readonly #waiting = new Map<string, { provider: string; sinceMs: number }>();
  readonly #nextIndexes = new Map<string, number>();
  readonly #client: pg.PoolClient;
  #samples: Sample[] = [];
  /** Number of released records, by user. */
  readonly released = new Map<string, number>();

  private constructor(world: World, members: readonly Member[], client: pg.PoolClient) {
    this.#world = world;
    this.#members = Map.groupBy(members, ({ provider }) => provider);
    this.#client = client;
    client.on('notification', ({ payload }) => this.#see(payload ?? ''));
  }

  static async start(world: World, members: readonly Member[]): Promise<Watch> {
    const { admin } = world.run;
    await admin.query(notifyOnCommit);
    await admin.query({
      text: 'INSERT INTO fairness_live SELECT unnest($1::uuid[])',
      values: [members.map(({ userId }) => userId)],
    });
    const client = await admin.connect();
    await client.query('LISTEN fairness');
    return new Watch(world, members, client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.release(true);
  }

  /** Releases records at an even rate for some seconds, and returns how long each took. */
  async measure(pace: Pace, seconds: number): Promise<Sample[]> {
    this.#samples = [];
    const endMs = Date.now() + seconds * 1000;
    await Promise.all(
      Object.entries(pace).map(([provider, perSecond]) => this.#stream(provider, perSecond, endMs)),
    );
    const giveUpMs = Date.now() + patienceMs;
    while (this.#waiting.size > 0 && Date.now() < giveUpMs) await sleep(20);
    const late = [...this.#waiting.values()].map(({ provider, sinceMs }) => ({
      provider,
      ms: Date.now() - sinceMs,
      isSeen: false,
    }));
    this.#waiting.clear();
    return [...this.#samples, ...late];
  }

  /** Follows the clock, however long each record takes. Skips users who still wait for one. */
  async #stream(provider: string, perSecond: number, endMs: number): Promise<void> {
    const gapMs = 1000 / perSecond;
    const letGoing: Promise<void>[] = [];
    for (let dueMs = Date.now() + Math.random() * gapMs; dueMs < endMs; dueMs += gapMs) {
      await sleep(Math.max(0, dueMs - Date.now()));
      const member = this.#next(provider);
      if (member) letGoing.push(this.#letGo(member));
    }
    await Promise.all(letGoing);
  }

  #next(provider: string): Member | null {
    const members = this.#members.get(provider)!;
    for (let tries = 0; tries < members.length; tries += 1) {
      const index = this.#nextIndexes.get(provider) ?? 0;
      this.#nextIndexes.set(provider, index + 1);
      const member = members[index % members.length]!;
      if (!this.#waiting.has(member.userId)) return member;
    }
    return null;
  }

  async #letGo({ provider, person, userId, deviceId }: Member): Promise<void> {
    this.#waiting.set(userId, { provider, sinceMs: Date.now() });
    const atMs = await this.#world.lab.request('letGo', { provider, person });
    if (atMs === null) throw new Error(`${provider} has no more data for ${person}`);
    this.released.set(userId, (this.released.get(userId) ?? 0) + 1);
    const waiting = this.#waiting.get(userId);
    if (waiting) waiting.sinceMs = atMs;
    if (provider !== 'dexcom') return;
    // The provider does not push, so the time counts from when the poll is due.
    if (waiting) waiting.sinceMs = Date.now();
    await this.#world.run.admin.query({
      text: `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE device_id = $1`,
      values: [deviceId],
    });
  }

  #see(userId: string): void {
    const entry = this.#waiting.get(userId);
    if (!entry) return;
    this.#waiting.delete(userId);
    this.#samples.push({ provider: entry.provider, ms: Date.now() - entry.sinceMs, isSeen: true });
  }
}
