import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Random } from '@tributary/rig';
import type { History } from './history.ts';
import type { Person } from './people.ts';
import { Phone } from './phone.ts';
import { UploadSource } from './upload-source.ts';

/** Uploads that one user has under way at the same time. */
const together = { least: 1, most: 5 };

export interface Pace {
  /** A user rests between groups of uploads, from no time up to twice this. */
  restMs: number;
}

interface User {
  phone: Phone;
  source: UploadSource;
  random: Random;
}

/** All users uploading at the same time, each several batches at once, over all api nodes. */
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

  /** One more group of uploads by every user. */
  async round(): Promise<void> {
    await Promise.all(this.#users.map((user) => this.#group(user)));
  }

  /** One upload of one user. */
  async one(): Promise<void> {
    const { phone, source } = this.#users[0]!;
    await phone.deliver(source.next(), this.#over.signal);
  }

  /** No new uploads; those under way go on until they have ended. */
  stop(): void {
    this.#stop.abort();
  }

  /** Waits for what is under way; from now on everything runs, so that nothing can take forever. */
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
