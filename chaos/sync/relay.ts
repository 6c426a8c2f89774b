import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the lab that records every secret in transit. The lab itself stores none. */
export interface Relay extends AsyncDisposable {
  url: string;
  /** Codes, access tokens and refresh tokens, which must never be readable. */
  secrets: ReadonlySet<string>;
  /** Registers a code and the consent that it belongs to. */
  expect: (code: string, consent: string) => void;
  /** Resolves at the lab's next response. */
  nextResponse: () => Promise<void>;
  /** Holds back the lab's response to the next refresh, which has already replaced the tokens. */
  holdRefresh: () => { refresh: Promise<PendingRefresh>; giveUp: () => void };
}

/** New tokens of a consent that no process has received yet. */
interface PendingRefresh {
  consent: string;
  release: () => void;
}

/** The lab's response to a request with a token. */
export interface LabResponse {
  consent: string;
  path: string;
  body: Buffer;
}

export async function startRelay(
  labUrl: () => string,
  onData: (response: LabResponse) => void,
): Promise<Relay> {
  const secrets = new Set<string>();
  const consentOf = new Map<string, string>();
  const waiting: (() => void)[] = [];
  let holder: ((refresh: PendingRefresh) => void) | null = null;
  /** Records tokens. Resolves when the response may be sent. */
  const note = async (requestBody: string, responseBody: string): Promise<void> => {
    const tokens = tokensIn(responseBody);
    const form = new URLSearchParams(requestBody);
    const consent = consentOf.get(form.get('refresh_token') ?? form.get('code') ?? '') ?? '';
    for (const secret of tokens) {
      secrets.add(secret);
      consentOf.set(secret, consent);
    }
    const hold = tokens.length > 0 && form.has('refresh_token') ? holder : null;
    if (!hold) return;
    holder = null;
    await new Promise<void>((release) => hold({ consent, release }));
  };

  // Keep connections open: a connection that closes just when it is reused resembles a fault, and a stalling machine makes that likely.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void pass(labUrl(), incoming, outgoing, async (requestBody, responseBody, status) => {
      const bearer = /^bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
      const consent = consentOf.get(bearer ?? '');
      if (consent !== undefined && status === 200)
        onData({ consent, path: incoming.url ?? '', body: responseBody });
      // Token requests have no bearer token.
      if (bearer === undefined) await note(requestBody.toString(), responseBody.toString());
      for (const resolve of waiting.splice(0)) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets,
    expect: (code, consent) => {
      secrets.add(code);
      consentOf.set(code, consent);
    },
    nextResponse: () => new Promise((resolve) => waiting.push(resolve)),
    holdRefresh: () => {
      const { promise, resolve } = Promise.withResolvers<PendingRefresh>();
      holder = resolve;
      return { refresh: promise, giveUp: () => (holder = null) };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Forwards a request unchanged, and passes it and its response to the callback before the response is sent. */
async function pass(
  labUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: (requestBody: Buffer, responseBody: Buffer, status: number) => Promise<void>,
): Promise<void> {
  try {
    const body = await bytesOf(incoming);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const target = new URL(labUrl);
      const asking = forward(
        {
          host: target.hostname,
          port: target.port,
          method: incoming.method,
          path: incoming.url,
          headers: { ...incoming.headers, host: target.host },
        },
        resolve,
      );
      asking.on('error', reject);
      asking.end(body);
    });
    const responseBody = await bytesOf(response);
    await onResponse(body, responseBody, response.statusCode ?? 502);
    const { 'transfer-encoding': _, ...headers } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, { ...headers, 'content-length': responseBody.length });
    outgoing.end(responseBody);
  } catch {
    outgoing.destroy(); // the client or the lab is gone
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The token fields of a response, at any depth. */
function tokensIn(responseBody: string): string[] {
  if (!responseBody.includes('"access_token"')) return [];
  return [...responseBody.matchAll(/"(?:access|refresh)_token":\s*"([^"]+)"/g)].map(([, token]) => token!);
}
