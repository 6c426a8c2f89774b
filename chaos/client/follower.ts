import type { Tributary } from '@tributary/client';
import { numberInId, type Random } from '@tributary/rig';

/** What a follower does, and which events it wants. */
export interface FollowerOptions {
  name: string;
  from: 'beginning' | 'now';
  /** The number of events after which it stops and continues with its stored cursor; null to never stop. */
  restarts: { atMost: number } | null;
  type?: 'data.updated' | 'score.updated';
  user_id?: string;
  wants: (number: number) => boolean;
}

/** An application that follows the feed through the client. It stores each event with its cursor. */
export class Follower {
  readonly options: FollowerOptions;
  /** Numbers of the received events, in order. */
  readonly eventNumbers: number[] = [];
  restarts = 0;
  /** How often the client fell back to the feed. */
  fallbacks = 0;
  failure: string | null = null;
  #cursor: string | undefined;
  readonly #createClient: () => Tributary<2>;
  readonly #random: Random;

  constructor(options: FollowerOptions, createClient: () => Tributary<2>, random: Random) {
    this.options = options;
    this.#createClient = createClient;
    this.#random = random;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await this.#follow(signal);
        if (!signal.aborted) this.restarts += 1;
      }
    } catch (error) {
      this.failure = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { from, restarts, type, user_id } = this.options;
    let left = restarts ? this.#random.int(1, restarts.atMost) : Infinity;
    const events = this.#createClient().events.follow({
      from,
      signal,
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
      ...(type ? { type } : {}),
      ...(user_id ? { user_id } : {}),
      onSource: (source) => {
        if (source === 'feed') this.fallbacks += 1;
      },
    });
    for await (const { event, cursor } of events) {
      this.eventNumbers.push(numberInId(event.event_id));
      this.#cursor = cursor;
      if ((left -= 1) <= 0) return;
    }
  }
}
