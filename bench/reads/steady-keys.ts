import { progress, type RawRequest } from '@tributary/rig';
import { flood, type Served } from './served.ts';

/** How often each key is used per second: about half of its limit. */
const perKey = 60;
const fewest = 5;

/** A request, and the position of its account in the list of accounts. */
export interface KeyedRequest extends RawRequest {
  accountAt: number;
}

/**
 * Uses as many keys as the last round needed. With a fixed number, a slow machine would use each key so rarely that the service loads most of
 * them again (it caches a key for half a second), and the figure would depend on the speed of the machine.
 */
export class SteadyKeys {
  readonly #accounts: number;
  #keys: number;

  constructor(accounts: number) {
    this.#accounts = accounts;
    this.#keys = accounts;
  }

  /** The requests of the accounts whose keys are in use. */
  select<R extends KeyedRequest>(requests: readonly R[]): R[] {
    return requests.filter(({ accountAt }) => accountAt < this.#keys);
  }

  /** Responses per second, with the keys that the rate of the last round needs. */
  async flood(
    served: Served,
    requests: readonly KeyedRequest[],
    seconds: number,
    options: { status?: number } = {},
  ): Promise<number> {
    for (;;) {
      try {
        const sent = this.select(requests);
        const perSecond = await flood(served, requests, seconds, { ...options, sent });
        this.#keys = Math.min(this.#accounts, Math.max(fewest, Math.ceil(perSecond / perKey)));
        return perSecond;
      } catch (error) {
        if (this.#keys === this.#accounts) throw error;
        progress('repeating with all keys: the machine became faster and some keys reached their limit');
        this.#keys = this.#accounts;
      }
    }
  }
}
