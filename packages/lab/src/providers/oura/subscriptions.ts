import { randomBytes, randomUUID } from 'node:crypto';
import { collections } from './collections.ts';
import { OuraRefusal } from './refusal.ts';

export interface Subscription {
  id: string;
  clientId: string;
  callbackUrl: string;
  verificationToken: string;
  eventType: string;
  dataType: string;
  expiresAt: number;
}

const eventTypes = ['create', 'update', 'delete'];
const dataTypes = [...collections.map(({ dataType }) => dataType), 'tag', 'meal'];
/** About 90 days, as far as known. */
const lifeMs = 90 * 86_400_000;
const responseTimeoutMs = 10_000;

/** The subscriptions of all apps, on the lab's clock. */
export class Subscriptions {
  readonly #byId = new Map<string, Subscription>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The subscriptions of an app that have not expired. */
  list(clientId: string): Subscription[] {
    return [...this.#byId.values()].filter((one) => one.clientId === clientId && one.expiresAt > this.#now());
  }

  get(clientId: string, id: string): Subscription {
    const subscription = this.list(clientId).find((one) => one.id === id);
    if (!subscription) throw new OuraRefusal(404, 'Subscription not found.');
    return subscription;
  }

  /** Verifies the callback first, then stores a new subscription or updates the one with this id. */
  async keep(clientId: string, wanted: Record<string, unknown>, id?: string): Promise<Subscription> {
    const fields = readFields(wanted);
    const isDuplicate = (): boolean =>
      this.list(clientId).some(
        (one) => one.id !== id && one.eventType === fields.eventType && one.dataType === fields.dataType,
      );
    await challenge(fields.callbackUrl, fields.verificationToken);
    if (isDuplicate())
      throw new OuraRefusal(
        409,
        'A subscription for this data_type and event_type already exists. Update that one.',
      );
    const subscription = { ...fields, id: id ?? randomUUID(), clientId, expiresAt: this.#now() + lifeMs };
    this.#byId.set(subscription.id, subscription);
    return subscription;
  }

  renew(clientId: string, id: string): Subscription {
    const renewed = { ...this.get(clientId, id), expiresAt: this.#now() + lifeMs };
    this.#byId.set(id, renewed);
    return renewed;
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }
}

function readFields(wanted: Record<string, unknown>): Omit<Subscription, 'id' | 'clientId' | 'expiresAt'> {
  const read = (name: string): string => {
    const value = wanted[name];
    if (typeof value !== 'string' || value === '' || value.length > 2000)
      throw new OuraRefusal(400, `${name} must be a string.`);
    return value;
  };
  const callbackUrl = read('callback_url');
  if (!/^https?:$/.test(URL.parse(callbackUrl)?.protocol ?? ''))
    throw new OuraRefusal(400, 'callback_url must be an HTTP or HTTPS URL.');
  const eventType = read('event_type');
  if (!eventTypes.includes(eventType))
    throw new OuraRefusal(400, `event_type must be one of ${eventTypes.join(', ')}.`);
  const dataType = read('data_type');
  if (!dataTypes.includes(dataType))
    throw new OuraRefusal(400, `data_type must be one of ${dataTypes.join(', ')}.`);
  return { callbackUrl, verificationToken: read('verification_token'), eventType, dataType };
}

/** The callback must echo the challenge and know the token. */
async function challenge(callbackUrl: string, token: string): Promise<void> {
  const word = randomBytes(16).toString('hex');
  const url = new URL(callbackUrl);
  url.searchParams.set('verification_token', token);
  url.searchParams.set('challenge', word);
  let isVerified = false;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(responseTimeoutMs) });
    const body = response.status === 200 ? ((await response.json()) as { challenge?: unknown } | null) : null;
    isVerified = body?.challenge === word;
  } catch {
    // A missing response or invalid JSON counts as a wrong response.
  }
  if (!isVerified)
    throw new OuraRefusal(
      400,
      'The callback did not echo the challenge. Respond with 200 and {"challenge": "<the same value>"}.',
    );
}
