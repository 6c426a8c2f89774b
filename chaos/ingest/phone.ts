import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Outcome } from '@tributary/rig';
import type { End, History } from './history.ts';
import type { Person } from './people.ts';
import type { Step, Upload } from './upload.ts';

/** How long to retry an upload after the load has ended and everything runs again. */
const patienceMs = 60_000;

/** Sends the uploads of one user as a phone does: until they are acknowledged or abandoned. */
export class Phone {
  readonly #client: Client;
  readonly #nodes: readonly string[];
  readonly #person: Person;
  readonly #history: History;
  #sent = 0;

  constructor(client: Client, nodes: readonly string[], person: Person, history: History) {
    this.#client = client;
    this.#nodes = nodes;
    this.#person = person;
    this.#history = history;
  }

  /** Resolves when the upload is acknowledged or abandoned. `over` signals that no part is down anymore. */
  async deliver({ upload, how, abandons, misuses }: Step, over: AbortSignal): Promise<void> {
    if (how === 'at_once') {
      await Promise.all([this.#persist(upload, abandons, over), this.#persist(upload, abandons, over)]);
    } else {
      const there = await this.#persist(upload, abandons, over);
      if (there && how === 'again') await this.#persist(upload, true, over);
      if (there && misuses) await this.#misuse(upload);
    }
  }

  /** Returns true once it is acknowledged. */
  async #persist(upload: Upload, abandons: boolean, over: AbortSignal): Promise<boolean> {
    let until = Infinity;
    for (;;) {
      const end = await this.#send(upload);
      if (end === 'acknowledged') return true;
      if (end === 'refused') return false;
      if (end === 'unknown' && abandons) return false;
      if (over.aborted) until = Math.min(until, performance.now() + patienceMs);
      if (performance.now() > until) return false;
      await sleep(end === 'unknown' ? 150 : 500);
    }
  }

  async #send(upload: Upload): Promise<End> {
    const node = this.#nextNode();
    const { call: _, ...outcome } = await this.#post(node, upload.body);
    const end = endOf(outcome);
    const detail = outcome.failure?.reason ?? String(outcome.status);
    this.#history.note(upload, {
      batchId: upload.batchId,
      node,
      sentAt: outcome.sentAt,
      endedAt: Date.now(),
      end,
      detail,
    });
    if (end === 'refused')
      this.#history.surprises.push(`batch ${upload.batchId} was refused: ${detail} ${outcome.body}`);
    return end;
  }

  /** A different body under a used id must always be rejected. */
  async #misuse(upload: Upload): Promise<void> {
    const body = { ...upload.body, daily: [{ metric: 'steps', date: '2025-01-01', value: 1 }] };
    const { status } = await this.#post(this.#nextNode(), body);
    if (status === 202)
      this.#history.surprises.push(`batch ${upload.batchId} was accepted a second time with another body`);
  }

  #nextNode(): string {
    this.#sent += 1;
    return this.#nodes[(this.#sent + this.#person.userAt) % this.#nodes.length]!;
  }

  #post(node: string, body: unknown): Promise<Outcome> {
    return this.#client.send({
      method: 'POST',
      node,
      path: '/v1/sdk/batches',
      key: this.#person.token,
      body,
    });
  }
}

function endOf({ status, failure }: Pick<Outcome, 'status' | 'failure'>): End {
  if (failure) return failure.kind === 'refused' ? 'unsent' : 'unknown';
  if (status === 202) return 'acknowledged';
  if (status === 429) return 'limited';
  return status === null || status >= 500 ? 'unknown' : 'refused';
}
