import type { ConnectionFailure, ConnectionObserver } from '../settings/connection-failure.ts';
import type { Draw } from './buckets.ts';
import { intervalMs, toleranceMs } from './gcra.ts';
import { RedisConnection } from './redis-connection.ts';
import type { RedisSettings } from './redis-settings.ts';

/** The draws of one request, with what this node knows about each bucket. A cost of 0 only reports. */
export interface SharedCheck {
  cost: 0 | 1;
  draws: { draw: Draw; seenTat: number; debt: number }[];
}

export interface SharedResult {
  allowed: boolean;
  /** How far each bucket was ahead of the store's clock when it responded. */
  aheadMs: number[];
  tats: number[];
}

/** The buckets that all nodes share. Arrival times are passed in the clock of this process. */
export interface SharedStore {
  /** Why there is no connection. Null while there is one, or the first attempt has not ended. */
  readonly failure: ConnectionFailure | null;
  check(checks: readonly SharedCheck[]): Promise<SharedResult[]>;
  probe(): Promise<void>;
  /** Drops an unresponsive connection. A new one is opened automatically. */
  reset(): void;
  close(): void;
}

/**
 * Decides a list of checks in order, in microseconds of Redis' own clock. A bucket is never behind what the caller saw of it plus what the caller has
 * admitted since, so a flushed or restarted Redis loses nothing that a node remembers.
 */
const script = `
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local results = {now}
local arg, key = 1, 1
while arg <= #ARGV do
  local draws, cost = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  arg = arg + 2
  local tats, intervals, allowed = {}, {}, 1
  for i = 1, draws do
    local interval, tolerance = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
    local seen, debt = tonumber(ARGV[arg + 2]), tonumber(ARGV[arg + 3])
    arg = arg + 4
    local tat = math.max(tonumber(redis.call('GET', KEYS[key + i - 1]) or '0'), seen) + debt * interval
    -- a debt may close the bucket for a while, but not for longer than half a burst takes to refill
    tats[i], intervals[i] = math.min(math.max(tat, now), now + tolerance * 1.5), interval
    if tats[i] + cost * interval - now > tolerance then allowed = 0 end
  end
  results[#results + 1] = allowed
  for i = 1, draws do
    local tat = tats[i] + allowed * cost * intervals[i]
    local ahead = math.floor(tat - now)
    if ahead > 0 then
      redis.call('SET', KEYS[key + i - 1], string.format('%.0f', tat), 'PX', math.ceil(ahead / 1000) + 1000)
    end
    results[#results + 1] = ahead
  end
  key = key + draws
end
return results`;

/**
 * Converts times between the clocks of this process and the store. The offset stays fixed while responses agree with it, so that a learned time is
 * sent back exactly. If the offset followed the duration of each call, a bucket would drift ahead with every call slower than the previous one and
 * reject requests it should admit.
 */
class StoreClock {
  #offsetMs: number | null = null;

  /** The store reported `storeNow` at some moment between the request and the response. The offset moves only as far as needed to agree. */
  compare(storeNow: number, requestedAt: number, respondedAt: number): void {
    const least = storeNow - respondedAt;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? least, least), storeNow - requestedAt);
  }

  /** Before the first response there is no offset, and no learned time to convert. */
  toStore(time: number): number {
    return this.#offsetMs === null ? 0 : time + this.#offsetMs;
  }

  fromStore(time: number): number {
    return time - (this.#offsetMs ?? 0);
  }
}

/** Connects to Valkey or Redis. Never waits for it: while it is unavailable, every call fails immediately. */
export function connectSharedStore(settings: RedisSettings, observer?: ConnectionObserver): SharedStore {
  const connection = new RedisConnection(settings, observer);
  const clock = new StoreClock();
  let digest: string | undefined;

  async function evaluate(keys: string[], args: string[]): Promise<number[]> {
    const { client } = connection;
    const options = { keys, arguments: args };
    if (digest) {
      try {
        return (await client.evalSha(digest, options)) as number[];
      } catch (error) {
        // A primary that was replaced by another one. The next connection goes to that.
        if (String(error).includes('READONLY')) connection.reset();
        if (!String(error).includes('NOSCRIPT')) throw error;
      }
    }
    digest = (await client.scriptLoad(script)) as string;
    return (await client.evalSha(digest, options)) as number[];
  }

  return {
    get failure() {
      return connection.failure;
    },
    async check(checks) {
      const keys: string[] = [];
      const args: string[] = [];
      for (const { cost, draws } of checks) {
        args.push(String(draws.length), String(cost));
        for (const { draw, seenTat, debt } of draws) {
          keys.push(`tributary:limit:${draw.key}`);
          args.push(
            String(Math.round(intervalMs(draw.rate) * 1000)),
            String(Math.round(toleranceMs(draw.rate) * 1000)),
            String(Math.floor(clock.toStore(seenTat) * 1000)),
            String(debt),
          );
        }
      }
      const requestedAt = performance.now();
      const [storeMicros = 0, ...flat] = await evaluate(keys, args);
      const storeNow = storeMicros / 1000;
      clock.compare(storeNow, requestedAt, performance.now());
      let at = 0;
      return checks.map(({ draws }) => {
        const allowed = flat[at++] === 1;
        const aheadMs = draws.map(() => (flat[at++] ?? 0) / 1000);
        return { allowed, aheadMs, tats: aheadMs.map((ahead) => clock.fromStore(storeNow + ahead)) };
      });
    },
    async probe() {
      await connection.client.ping();
    },
    reset() {
      connection.reset();
    },
    close() {
      connection.close();
    },
  };
}
