import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Random } from '@tributary/rig';
import type { History } from './history.ts';
import type { Person } from './people.ts';
import { Phone } from './phone.ts';
import { UploadSource } from './upload-source.ts';

/** Number of concurrent uploads per user. */
const together = { least: 1, most: 5 };

export interface Pace {
  /** Average pause between a user's groups of uploads. Pauses range from 0 to twice this. */
  restMs: number;
}

interface User {
  phone: Phone;
  source: UploadSource;
  random: Random;
}

/** All users upload at the same time, each with several concurrent batches, through all api nodes. */
export class Load implements Disposable {
  readonly #client = new Client();
  readonly #users: User[];
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  readonly #pace: Pace;
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    nodes: readonly string[],
    people: readonly Person[],
    history: History,
    random: Random,
    pace: Pace,
  ) {
    this.#pace = pace;
    this.#users = people.map((person) => ({
      phone: new Phone(this.#client, nodes, person, history),
      source: new UploadSource(person.userAt, random.fork(`uploads-${person.userAt}`)),
      random: random.fork(`rests-${person.userAt}`),
    }));
  }

  start(): void {
    this.#running = Promise.all(
      this.#users.map(async (user) => {
        while (!this.#stop.signal.aborted) {
          await this.#group(user);
          await sleep(user.random.next() * 2 * this.#pace.restMs, undefined, {
            signal: this.#stop.signal,
          }).catch(() => {});
        }
      }),
    );
  }

  /** Sends one more group of uploads for every user. */
  async round(): Promise<void> {
    await Promise.all(this.#users.map((user) => this.#group(user)));
  }

  /** Sends one upload for one user. */
  async one(): Promise<void> {
    const { phone, source } = this.#users[0]!;
    await phone.deliver(source.next(), this.#over.signal);
  }

  /** Starts no new uploads. Pending ones continue. */
  stop(): void {
    this.#stop.abort();
  }

  /** Waits for pending uploads. Everything is running from here on, so they all end. */
  async finish(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#over.abort();
    this.#client[Symbol.dispose]();
  }

  async #group({ phone, source, random }: User): Promise<void> {
    const steps = Array.from({ length: random.int(together.least, together.most) }, () => source.next());
    await Promise.all(steps.map((step) => phone.deliver(step, this.#over.signal)));
  }
}
