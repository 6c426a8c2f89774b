import { randomBytes } from 'node:crypto';
import { badRequest, notFound } from './refusal.ts';

export interface Subscription {
  id: number;
  callbackUrl: string;
}

const responseTimeoutMs = 2000;
const resource = 'PushSubscription';

/** The single subscription of each app. */
export class Subscriptions {
  readonly #byClient = new Map<string, Subscription>();
  #lastId = 120_000;

  find(clientId: string): Subscription | undefined {
    return this.#byClient.get(clientId);
  }

  /** Verifies the callback first. */
  async add(clientId: string, callbackUrl: string, verifyToken: string): Promise<Subscription> {
    if (!/^https?:$/.test(URL.parse(callbackUrl)?.protocol ?? '')) throw badRequest(resource, 'callback_url');
    this.#refuseSecond(clientId);
    if (!(await isVerified(callbackUrl, verifyToken)))
      throw badRequest(resource, 'callback url', 'not verifiable');
    // Another subscription may have been created during the verification.
    this.#refuseSecond(clientId);
    this.#lastId += 1;
    const added = { id: this.#lastId, callbackUrl };
    this.#byClient.set(clientId, added);
    return added;
  }

  remove(clientId: string, id: number): void {
    if (this.find(clientId)?.id !== id) throw notFound(resource);
    this.#byClient.delete(clientId);
  }

  #refuseSecond(clientId: string): void {
    if (this.find(clientId)) throw badRequest(resource, 'client_id', 'already exists');
  }
}

/** The callback must echo the challenge in time. */
async function isVerified(callbackUrl: string, verifyToken: string): Promise<boolean> {
  const word = randomBytes(16).toString('hex');
  const url = new URL(callbackUrl);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', word);
  url.searchParams.set('hub.verify_token', verifyToken);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(responseTimeoutMs) });
    const body = response.status === 200 ? ((await response.json()) as Record<string, unknown> | null) : null;
    return body?.['hub.challenge'] === word;
  } catch {
    // A missing response or invalid JSON counts as a wrong response.
    return false;
  }
}
