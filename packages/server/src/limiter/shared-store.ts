import { createClient } from 'redis';
import type { Draw } from './buckets.ts';
import { intervalMs, toleranceMs } from './gcra.ts';

/** One request's draws, with what this node knows of each bucket. A cost of 0 asks for nothing and only reports. */
export interface SharedCheck {
  cost: 0 | 1;
  draws: { draw: Draw; seenTat: number; debt: number }[];
}

export interface SharedAnswer {
  allowed: boolean;
  /** How far each bucket ran ahead of the store's clock when it answered. */
  aheadMs: number[];
  tats: number[];
}

/** The buckets that all nodes share. Arrival times go in and come out by the clock of this process. */
export interface SharedStore {
  check(checks: readonly SharedCheck[]): Promise<SharedAnswer[]>;
  probe(): Promise<void>;
  /** Drops a connection that does not answer; a new one is made by itself. */
  reset(): void;
  close(): void;
}

/**
 * Decides a list of checks in order, in microseconds of Redis' own clock. A bucket is never behind what the caller saw of it, plus what the
 * caller let through since: so a flushed or restarted Redis forgets nothing that a node remembers.
 */
const script = `
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local answers = {now}
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
  answers[#answers + 1] = allowed
  for i = 1, draws do
    local tat = tats[i] + allowed * cost * intervals[i]
    local ahead = math.floor(tat - now)
    if ahead > 0 then
      redis.call('SET', KEYS[key + i - 1], string.format('%.0f', tat), 'PX', math.ceil(ahead / 1000) + 1000)
    end
    answers[#answers + 1] = ahead
  end
  key = key + draws
end
return answers`;

/**
 * Carries times between the clock of this process and that of the store. The offset stands still while answers agree with it: what
 * was learnt goes back exactly as it came. Told by how long a call took instead, a bucket would gain a little with every call that is
 * slower than the one before, and refuse what it should let through.
 */
class StoreClock {
  #offsetMs: number | null = null;

  /** The store said `storeNow` at some moment from `askedAt` to `answeredAt`: the offset moves as far as it has to, and no further. */
  compare(storeNow: number, askedAt: number, answeredAt: number): void {
    const least = storeNow - answeredAt;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? least, least), storeNow - askedAt);
  }

  /** Before the first answer nothing is known, and nothing can have been learnt. */
  toStore(time: number): number {
    return this.#offsetMs === null ? 0 : time + this.#offsetMs;
  }

  fromStore(time: number): number {
    return time - (this.#offsetMs ?? 0);
  }
}

/** Connects to Valkey or Redis. Never waits for it: while it is away, every call fails at once. */
export function connectSharedStore(url: string): SharedStore {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 500, reconnectStrategy: 100 },
  });
  client.on('error', () => {}); // seen by the breaker through failing calls
  const open = () => void client.connect().catch(() => {});
  open();
  const clock = new StoreClock();
  let digest: string | undefined;

  async function evaluate(keys: string[], args: string[]): Promise<number[]> {
    const options = { keys, arguments: args };
    if (digest) {
      try {
        return (await client.evalSha(digest, options)) as number[];
      } catch (error) {
        if (!String(error).includes('NOSCRIPT')) throw error;
      }
    }
    digest = await client.scriptLoad(script);
    return (await client.evalSha(digest, options)) as number[];
  }

  return {
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
      const askedAt = performance.now();
      const [storeMicros = 0, ...flat] = await evaluate(keys, args);
      const storeNow = storeMicros / 1000;
      clock.compare(storeNow, askedAt, performance.now());
      let at = 0;
      return checks.map(({ draws }) => {
        const allowed = flat[at++] === 1;
        const aheadMs = draws.map(() => (flat[at++] ?? 0) / 1000);
        return { allowed, aheadMs, tats: aheadMs.map((ahead) => clock.fromStore(storeNow + ahead)) };
      });
    },
    async probe() {
      await client.ping();
    },
    reset() {
      client.destroy();
      open();
    },
    close() {
      client.destroy();
    },
  };
}
