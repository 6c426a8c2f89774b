import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Call {
  method?: 'GET' | 'POST';
  /** Base address of a node. */
  node: string;
  path: string;
  key: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The outcome of one request. */
export interface Outcome {
  call: Call;
  /** By the clock of this machine, which the engines share. */
  sentAt: number;
  durationMs: number;
  /** Null if no complete response arrived. */
  status: number | null;
  headers: IncomingHttpHeaders;
  body: string;
  /** `refused`: no connection could be opened. `cut`: the request was sent, but its response did not arrive or was incomplete. */
  failure: { kind: 'refused' | 'cut'; reason: string; reusedConnection: boolean } | null;
}

/** Sends requests over keep-alive connections and reports the outcome of each. It never throws. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });

  send(call: Call): Promise<Outcome> {
    const { method = 'GET', node, path, key, headers, body } = call;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sentAt = Date.now();
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const end = (outcome: Pick<Outcome, 'status' | 'headers' | 'body' | 'failure'>): void =>
        resolve({ call, sentAt, durationMs: performance.now() - startedAt, ...outcome });
      const outgoing = request(`${node}${path}`, {
        agent: this.#agent,
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...headers,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      });
      let connected = false;
      const fail = (reason: string): void =>
        end({
          status: null,
          headers: {},
          body: '',
          failure: {
            kind: connected ? 'cut' : 'refused',
            reason,
            reusedConnection: outgoing.reusedSocket,
          },
        });
      outgoing.once('socket', (socket) => {
        if (!socket.connecting) connected = true;
        else socket.once('connect', () => (connected = true));
      });
      // "socket hang up" has the code of a reset, but means that the peer closed the connection normally.
      outgoing.once('error', ({ code, message }: NodeJS.ErrnoException) =>
        fail(code === undefined || message === 'socket hang up' ? message : code),
      );
      outgoing.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', () => {}); // `close` follows with the same outcome
        response.once('close', () => {
          if (!response.complete) return fail('incomplete response');
          const text = Buffer.concat(chunks).toString();
          end({ status: response.statusCode ?? null, headers: response.headers, body: text, failure: null });
        });
      });
      outgoing.end(payload);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Sends requests one after another on each of `connections` connections, as fast as responses arrive, until aborted. */
export async function flood(
  client: Client,
  connections: number,
  nextCall: (connection: number) => Call,
  until: AbortSignal,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const work = async (connection: number): Promise<void> => {
    while (!until.aborted) onOutcome(await client.send(nextCall(connection)));
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)));
}

/** Sends requests at a steady rate, however long responses take, until aborted. Resolves when every response has arrived. */
export async function pace(
  client: Client,
  perSecond: number,
  nextCall: () => Call,
  until: AbortSignal,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  for (let sent = 0; !until.aborted;) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    // After a stall of this process, spread out the rest: a burst would be an unintended load.
    for (const most = sent + 5; sent < due && sent < most; sent += 1) {
      const response: Promise<void> = client
        .send(nextCall())
        .then(onOutcome)
        .finally(() => open.delete(response));
      open.add(response);
    }
    await sleep(5);
  }
  await Promise.all(open);
}
