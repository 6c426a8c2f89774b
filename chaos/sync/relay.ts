import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the lab and sees every secret that goes by; the lab itself keeps none. */
export interface Relay extends AsyncDisposable {
  url: string;
  /** Everything that must never be readable: codes, access tokens, refresh tokens. */
  secrets: ReadonlySet<string>;
  /** Told of a code, and whose consent it stands for. */
  expect: (code: string, consent: string) => void;
  /** Ends when the lab next answers anything. */
  nextAnswer: () => Promise<void>;
  /** Keeps back what the lab answers to the next refresh, having replaced the tokens. */
  holdRefresh: () => { held: Promise<HeldRefresh>; giveUp: () => void };
}

/** New tokens of a consent that nobody has heard of yet. */
interface HeldRefresh {
  consent: string;
  release: () => void;
}

/** What the lab answered to somebody's token. */
export interface Answered {
  consent: string;
  path: string;
  answer: Buffer;
}

export async function startRelay(labUrl: () => string, onData: (answered: Answered) => void): Promise<Relay> {
  const secrets = new Set<string>();
  const consentOf = new Map<string, string>();
  const waiting: (() => void)[] = [];
  let holder: ((held: HeldRefresh) => void) | null = null;
  /** Notes tokens; ends when they may go out. */
  const note = async (asked: string, answered: string): Promise<void> => {
    const given = tokensIn(answered);
    const form = new URLSearchParams(asked);
    const consent = consentOf.get(form.get('refresh_token') ?? form.get('code') ?? '') ?? '';
    for (const secret of given) {
      secrets.add(secret);
      consentOf.set(secret, consent);
    }
    const hold = given.length > 0 && form.has('refresh_token') ? holder : null;
    if (!hold) return;
    holder = null;
    await new Promise<void>((release) => hold({ consent, release }));
  };

  // Connections stay open: one that is closed just when it is used again looks like a fault, and a machine that stands still makes that likely.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void pass(labUrl(), incoming, outgoing, async (asked, answered, status) => {
      const bearer = /^bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
      const consent = consentOf.get(bearer ?? '');
      if (consent !== undefined && status === 200)
        onData({ consent, path: incoming.url ?? '', answer: answered });
      // Tokens are asked for without one.
      if (bearer === undefined) await note(asked.toString(), answered.toString());
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
    nextAnswer: () => new Promise((resolve) => waiting.push(resolve)),
    holdRefresh: () => {
      const { promise, resolve } = Promise.withResolvers<HeldRefresh>();
      holder = resolve;
      return { held: promise, giveUp: () => (holder = null) };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a request on as it is, and tells what was asked and answered before the answer goes out. */
async function pass(
  labUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  tell: (asked: Buffer, answered: Buffer, status: number) => Promise<void>,
): Promise<void> {
  try {
    const body = await bytesOf(incoming);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
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
    const answered = await bytesOf(answer);
    await tell(body, answered, answer.statusCode ?? 502);
    const { 'transfer-encoding': _, ...headers } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': answered.length });
    outgoing.end(answered);
  } catch {
    outgoing.destroy(); // who asked is gone, or the lab is
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** What an answer calls a token, however deep it lies. */
function tokensIn(answered: string): string[] {
  if (!answered.includes('"access_token"')) return [];
  return [...answered.matchAll(/"(?:access|refresh)_token":\s*"([^"]+)"/g)].map(([, token]) => token!);
}
