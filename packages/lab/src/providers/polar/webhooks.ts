import { randomBytes } from 'node:crypto';
import { PolarRefusal } from './refusal.ts';

export interface Webhook {
  id: string;
  events: string[];
  url: string;
  secret: string;
  isActive: boolean;
  /** When the current series of failures began. Null after a success. */
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
const responseTimeoutMs = 10_000;
const patienceMs = 7 * 86_400_000;

/** The webhooks of apps, at most one each. */
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
    const webhook = this.find(clientId);
    if (!webhook || (id !== undefined && webhook.id !== id))
      throw new PolarRefusal(404, 'Webhook not found.');
    return webhook;
  }

  async create(clientId: string, wanted: Record<string, unknown>): Promise<Webhook> {
    const fields = readFields(wanted);
    if (this.find(clientId))
      throw new PolarRefusal(409, 'A webhook already exists. Update or delete that one.');
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

  /** A webhook that has failed for seven days is deactivated. */
  note(webhook: Webhook, outcome: 'succeeded' | 'failed'): void {
    webhook.failingSince = outcome === 'succeeded' ? null : (webhook.failingSince ?? this.#now());
    if (webhook.failingSince !== null && this.#now() - webhook.failingSince >= patienceMs)
      webhook.isActive = false;
  }

  /** Sources disagree on whether the PING is signed. The lab does not sign it, so that receivers must accept it unsigned. */
  async #ping(url: string): Promise<void> {
    let status: number | null = null;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'Polar-Webhook-Event': 'PING' },
        body: JSON.stringify({ timestamp: new Date(this.#now()).toISOString(), event: 'PING' }),
        signal: AbortSignal.timeout(responseTimeoutMs),
      });
      ({ status } = response);
    } catch {
      // A missing response counts as a wrong response.
    }
    if (status !== 200)
      throw new PolarRefusal(
        400,
        'The url did not accept the PING. It must return 200 for {"event":"PING"}.',
      );
  }
}

function readFields({ events, url }: Record<string, unknown>): Pick<Webhook, 'events' | 'url'> {
  if (typeof url !== 'string' || url.length > 2000 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new PolarRefusal(400, 'url must be an HTTP or HTTPS URL.');
  const names = Array.isArray(events) ? events.map(String) : [];
  if (names.length === 0 || names.some((name) => !eventNames.includes(name)))
    throw new PolarRefusal(400, `events must be a list of ${eventNames.join(', ')}.`);
  return { events: names, url };
}
