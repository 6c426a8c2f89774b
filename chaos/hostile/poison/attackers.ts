import { randomUUID } from 'node:crypto';
import type { Random, RunStack } from '@tributary/rig';
import { sizeOf, worstCases } from './worst-cases.ts';

export interface Attacker {
  /** The internal id. */
  uuid: string;
  token: string;
}

/** Users with SDK sessions who upload as much work as the limits allow. */
export class Attackers {
  readonly #url: string;
  readonly #users: readonly Attacker[];
  /** A user who only sends one upload. */
  readonly victim: Attacker;

  private constructor(url: string, users: readonly Attacker[], victim: Attacker) {
    this.#url = url;
    this.#users = users;
    this.victim = victim;
  }

  static async create(running: RunStack, key: string, count: number): Promise<Attackers> {
    const users: Attacker[] = [];
    for (let at = 0; at <= count; at += 1) users.push(await createAttacker(running, key, `poison-${at}`));
    return new Attackers(running.api[0]!.baseUrl, users.slice(1), users[0]!);
  }

  get first(): Attacker {
    return this.#users[0]!;
  }

  /** Sends uploads of the shape that once stopped a node. Returns the number that were refused. */
  async uploadTooManyDays(count: number): Promise<number> {
    let refused = 0;
    for (let at = 0; at < count; at += 1) {
      const { status } = await this.#send(this.first, oneValueADay(at));
      if (status === 400) refused += 1;
    }
    return refused;
  }

  /** Sends generated worst cases, a few of each kind from each user. Waits while the backlog is full or the rate limit reached. */
  async upload(count: number, random: Random, isShort: boolean): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const own = random.fork(at);
      const body = worstCases[at % worstCases.length]!(at, own, sizeOf(own, isShort));
      const user = this.#users[Math.floor(at / worstCases.length) % this.#users.length]!;
      for (;;) {
        const { status, text } = await this.#send(user, body);
        if (status === 202) break;
        if (status !== 429 && status !== 503)
          throw new Error(`An upload got ${status}: ${text.slice(0, 300)}`);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  }

  async uploadOne(user: Attacker): Promise<void> {
    const records = [{ metric: 'heart_rate', start: '2026-01-05T12:00:00Z', value: 61 }];
    await this.#send(user, { device: { provider: 'apple_health', id: 'one', kind: 'watch' }, records });
  }

  async #send({ token }: Attacker, body: object): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.#url}/v1/sdk/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch_id: randomUUID(), ...body }),
    });
    return { status: response.status, text: await response.text() };
  }
}

/** One value a day over 54 years, each upload from another device. */
export function oneValueADay(at: number): object {
  const first = Date.UTC(1972, 0, 1, 12);
  const records = Array.from({ length: 19_700 }, (_, day) => ({
    metric: 'heart_rate',
    start: new Date(first + day * 86_400_000).toISOString(),
    value: 60 + (day % 20),
  }));
  return { device: { provider: 'apple_health', id: `old-${at}`, kind: 'watch' }, records };
}

async function createAttacker(running: RunStack, key: string, reference: string): Promise<Attacker> {
  const url = running.api[0]!.baseUrl;
  const post = async (path: string, credential: string | null, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const { id } = await post('/v1/users', key, { external_ref: reference, timezone: 'UTC' });
  const { client_token } = await post(`/v1/users/${id}/sdk-sessions`, key, { platform: 'ios' });
  const { access_token = '' } = await post('/v1/sdk/sessions/exchange', null, { client_token });
  const { rows } = await running.admin.query<{ id: string }>({
    text: 'SELECT id FROM users WHERE reference_id = $1',
    values: [reference],
  });
  return { uuid: rows[0]!.id, token: access_token };
}
