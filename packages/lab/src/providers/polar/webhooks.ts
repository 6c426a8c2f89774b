import { randomBytes } from 'node:crypto';
import { PolarRefusal } from './refusal.ts';

export interface Webhook {
  id: string;
  events: string[];
  url: string;
  secret: string;
  isActive: boolean;
  /** Since when everything has failed; null after a success. */
  failingSince: number | null;
}

const eventNames = [
  'EXERCISE',
  'SLEEP',
  'CONTINUOUS_HEART_RATE',
  'ACTIVITY_SUMMARY',
  'PHYSICAL_INFORMATION',
  'SLEEP_WISE_CIRCADIAN_BEDTIME',
  'SLEEP_WISE_ALERTNESS',
];
const answerWithinMs = 10_000;
const patienceMs = 7 * 86_400_000;

/** The webhooks of apps: each has one at most. */
export class Webhooks {
  readonly #byClient = new Map<string, Webhook>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  find(clientId: string): Webhook | undefined {
    return this.#byClient.get(clientId);
  }

  get(clientId: string, id?: string): Webhook {
    const found = this.find(clientId);
    if (!found || (id !== undefined && found.id !== id))
      throw new PolarRefusal(404, 'There is no such webhook.');
    return found;
  }

  async create(clientId: string, wanted: Record<string, unknown>): Promise<Webhook> {
    const fields = readFields(wanted);
    if (this.find(clientId))
      throw new PolarRefusal(409, 'There is a webhook already: change or delete that one.');
    await this.#ping(fields.url);
    const created: Webhook = {
      id: randomBytes(6).toString('hex'),
      ...fields,
      secret: randomBytes(24).toString('base64url'),
      isActive: true,
      failingSince: null,
    };
    this.#byClient.set(clientId, created);
    return created;
  }

  async update(webhook: Webhook, wanted: Record<string, unknown>): Promise<Webhook> {
    const fields = readFields({ events: webhook.events, url: webhook.url, ...wanted });
    await this.#ping(fields.url);
    return Object.assign(webhook, fields);
  }

  async activate(webhook: Webhook): Promise<void> {
    await this.#ping(webhook.url);
    Object.assign(webhook, { isActive: true, failingSince: null });
  }

  remove(clientId: string): void {
    this.#byClient.delete(clientId);
  }

  /** One that has failed for seven days is left alone. */
  note(webhook: Webhook, outcome: 'succeeded' | 'failed'): void {
    webhook.failingSince = outcome === 'succeeded' ? null : (webhook.failingSince ?? this.#now());
    if (webhook.failingSince !== null && this.#now() - webhook.failingSince >= patienceMs)
      webhook.isActive = false;
  }

  /** Whether this one is signed is disputed; here it is not, so that receivers learn to take it. */
  async #ping(url: string): Promise<void> {
    let status: number | null = null;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'Polar-Webhook-Event': 'PING' },
        body: JSON.stringify({ timestamp: new Date(this.#now()).toISOString(), event: 'PING' }),
        signal: AbortSignal.timeout(answerWithinMs),
      });
      ({ status } = response);
    } catch {
      // No answer is a wrong one.
    }
    if (status !== 200)
      throw new PolarRefusal(400, 'The url did not answer the PING: answer 200 to {"event":"PING"}.');
  }
}

function readFields({ events, url }: Record<string, unknown>): Pick<Webhook, 'events' | 'url'> {
  if (typeof url !== 'string' || url.length > 2000 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new PolarRefusal(400, 'url is no address of the web.');
  const names = Array.isArray(events) ? events.map(String) : [];
  if (names.length === 0 || names.some((name) => !eventNames.includes(name)))
    throw new PolarRefusal(400, `events is a list of ${eventNames.join(', ')}.`);
  return { events: names, url };
}
