import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tokens that the lab gave out at once. */
export interface Issue {
  /** Which consent they came of. */
  consent: string;
  isRefresh: boolean;
  /** When they were asked for, and given. */
  askedMs: number;
  atMs: number;
  secrets: string[];
  /** Whether any of them came back. */
  isUsed: boolean;
}

/** Stands before the lab and sees every secret that goes by; the lab itself keeps none. */
export interface Relay extends AsyncDisposable {
  url: string;
  issues: readonly Issue[];
  /** Everything that must never be readable: codes, access tokens, refresh tokens. */
  secrets: ReadonlySet<string>;
  /** Told of a code, and whose consent it stands for. */
  expect: (code: string, consent: string) => void;
  /** Ends when the lab next answers with data: who is killed between new tokens and their commit loses them, which nobody can prevent. */
  nextAnswer: () => Promise<void>;
}

/** What the lab answered to somebody's token. */
export interface Answered {
  consent: string;
  path: string;
  answer: Buffer;
}

export async function startRelay(labUrl: () => string, onData: (answered: Answered) => void): Promise<Relay> {
  const issues: Issue[] = [];
  const secrets = new Set<string>();
  const issueOf = new Map<string, Issue>();
  const consentOf = new Map<string, string>();
  const waiting: (() => void)[] = [];

  const use = (secret: string): void => {
    const issue = issueOf.get(secret);
    if (issue) issue.isUsed = true;
  };
  /** False when the answer held no tokens. */
  const note = (asked: string, answered: string, askedMs: number): boolean => {
    const given = tokensIn(answered);
    if (given.length === 0) return false;
    const form = new URLSearchParams(asked);
    const before = form.get('refresh_token') ?? form.get('code') ?? '';
    const consent = consentOf.get(before) ?? '';
    const issue: Issue = {
      consent,
      isRefresh: form.has('refresh_token'),
      askedMs,
      atMs: performance.now(),
      secrets: given,
      isUsed: false,
    };
    issues.push(issue);
    for (const secret of given) {
      secrets.add(secret);
      consentOf.set(secret, consent);
      // A provider may give the same one again.
      if (secret !== before) issueOf.set(secret, issue);
    }
    return true;
  };

  const server = createServer((incoming, outgoing) => {
    const askedMs = performance.now();
    void pass(labUrl(), incoming, outgoing, (asked, answered, status) => {
      const bearer = /^bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
      if (bearer !== undefined) use(bearer);
      const refresh = new URLSearchParams(asked.toString()).get('refresh_token');
      if (refresh !== null) use(refresh);
      const consent = consentOf.get(bearer ?? '');
      if (consent !== undefined && status === 200)
        onData({ consent, path: incoming.url ?? '', answer: answered });
      // Tokens are asked for without one.
      const isData = bearer !== undefined || !note(asked.toString(), answered.toString(), askedMs);
      if (isData) for (const resolve of waiting.splice(0)) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issues,
    secrets,
    expect: (code, consent) => {
      secrets.add(code);
      consentOf.set(code, consent);
    },
    nextAnswer: () => new Promise((resolve) => waiting.push(resolve)),
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
  tell: (asked: Buffer, answered: Buffer, status: number) => void,
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
    tell(body, answered, answer.statusCode ?? 502);
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
