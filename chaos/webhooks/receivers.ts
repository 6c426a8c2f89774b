import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { numberInId, type Random } from '@tributary/rig';
import type { Deliveries } from './deliveries.ts';

export type Behavior = 'healthy' | 'hanging' | 'failing';

/** Failure probability of a failing endpoint. */
const failingPart = 0.3;

/** Customer endpoints over real HTTP, each with its own path. They verify signatures as any receiver would. */
export class Receivers implements AsyncDisposable {
  /** The current behavior of each endpoint. */
  readonly behaviors: Behavior[];
  /** Requests with an invalid signature. */
  forged = 0;
  verified = 0;
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  readonly #verifiers: Webhook[] = [];
  readonly #deliveries: Deliveries;
  readonly #random: Random;

  constructor(count: number, deliveries: Deliveries, random: Random) {
    this.behaviors = Array.from({ length: count }, () => 'healthy');
    this.#deliveries = deliveries;
    this.#random = random;
  }

  /** Starts listening, and returns a function that builds an endpoint's URL. */
  async start(): Promise<(endpoint: number) => string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return (endpoint) => `http://127.0.0.1:${port}/${endpoint}`;
  }

  /** Stores the secret of an endpoint. */
  know(endpoint: number, secret: string): void {
    this.#verifiers[endpoint] = new Webhook(secret);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = Number(request.url!.slice(1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers['webhook-id']);
    if (isGenuine(this.#verifiers[endpoint]!, request.headers, Buffer.concat(chunks).toString()))
      this.verified += 1;
    else this.forged += 1;
    const behavior = this.behaviors[endpoint]!;
    const succeeds = behavior === 'healthy' || (behavior === 'failing' && !this.#random.chance(failingPart));
    this.#deliveries.receive(endpoint, numberInId(id), succeeds);
    if (behavior === 'hanging') return;
    if (succeeds) response.writeHead(204).end();
    else if (this.#random.chance(0.5)) response.writeHead(500).end('out of order');
    else request.socket.destroy();
  }
}

/** Verifies with the library. If the clock was moved, the library would reject the timestamp, so the signature is recomputed and compared instead. */
function isGenuine(verifier: Webhook, headers: IncomingHttpHeaders, body: string): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = headers as Record<string, string>;
  const at = Number(timestamp) * 1000;
  if (Math.abs(at - Date.now()) > 60_000) return verifier.sign(id!, new Date(at), body) === signature;
  try {
    verifier.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
