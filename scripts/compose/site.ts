import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SiteResponse {
  status: number;
  text: string;
}

interface SiteRequest {
  method?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Requests through Caddy, whose certificate is verified with its own authority. */
export class Site {
  readonly #port: number;
  readonly #authority: () => string;

  constructor(port: number, authority: () => string) {
    this.#port = port;
    this.#authority = authority;
  }

  async request(path: string, { method, token, body, headers }: SiteRequest = {}): Promise<SiteResponse> {
    const outgoing = request({
      host: 'localhost',
      port: this.#port,
      path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      ca: this.#authority(),
      family: 4,
      agent: false,
      timeout: 20_000,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response within 20 seconds')));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, text: (await response.toArray()).join('') };
  }

  /** The body of a response that has to be successful. Like other clients, it tries again if the service is busy, limits its rate or restarts. */
  async json<T>(path: string, options: SiteRequest = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, text } = await this.request(path, options).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      if (status >= 200 && status < 300) return JSON.parse(text) as T;
      const mayPass = [0, 429, 502, 503].includes(status);
      if (!mayPass || attempt === 20) throw new Error(`${path}: status ${status}: ${text.slice(0, 400)}`);
      await sleep(1_000);
    }
  }

  /** Repeats a request until it succeeds, as a client does that has to deliver. */
  async deliver(path: string, options: SiteRequest): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const status = await this.request(path, options).then(
        (response) => response.status,
        () => 0,
      );
      if (status >= 200 && status < 300) return;
      if (status >= 400 && status < 500 && status !== 429)
        throw new Error(`${path} was rejected with status ${status}`);
      if (attempt > 600) throw new Error(`${path} was not accepted within a minute`);
      await sleep(100);
    }
  }

  async waitUntilReady(): Promise<void> {
    const until = Date.now() + 120_000;
    for (;;) {
      const { status } = await this.request('/readyz').catch(() => ({ status: 0 }));
      if (status === 200) return;
      if (Date.now() > until) throw new Error(`not ready within 2 minutes, last status ${status}`);
      await sleep(100);
    }
  }
}
