import { connect } from 'node:net';

export interface FloodRequest {
  path: string;
  headers?: Record<string, string>;
}

/**
 * Answers a second over so many connections, each with one request under way. It reads just enough of the answers to know where they end:
 * a load generator that costs more than what it measures would hide every difference.
 */
export async function floodLightly(
  url: string,
  requests: readonly FloodRequest[],
  { seconds, connections, status }: { seconds: number; connections: number; status: number },
): Promise<{ answers: number; perSecond: number }> {
  const { hostname, port, host } = new URL(url);
  const prepared = preparedFor(host, requests);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let answers = 0;
  const work = (first: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let at = first;
      let left = 0;
      const next = () => {
        if (performance.now() >= endAt) {
          socket.destroy();
          return resolve();
        }
        socket.write(prepared[(at += 1) % prepared.length]!);
      };
      socket.once('connect', next);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed before the answer')));
      socket.on('data', (chunk) => {
        left = left > 0 ? left - chunk.length : bytesLeft(chunk, status);
        if (left > 0) return;
        answers += 1;
        next();
      });
    });
  const apart = Math.floor(prepared.length / connections);
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection * apart)));
  return { answers, perSecond: (answers * 1000) / (performance.now() - startedAt) };
}

/** How much of an answer is still to come behind its first piece, which holds all headers. */
function bytesLeft(chunk: Buffer, status: number): number {
  const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2048));
  const end = head.indexOf('\r\n\r\n');
  if (end < 0 || !head.startsWith(`HTTP/1.1 ${status}`))
    throw new Error(`not ${status}: ${head.slice(0, 200)}`);
  const length = /content-length: (\d+)/i.exec(head)?.[1] ?? '0';
  return end + 4 + Number(length) - chunk.length;
}

const known = new WeakMap<readonly FloodRequest[], Buffer[]>();

/** Made once for each list. */
function preparedFor(host: string, requests: readonly FloodRequest[]): Buffer[] {
  let prepared = known.get(requests);
  if (!prepared) {
    prepared = requests.map(({ path, headers = {} }) => {
      const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    });
    known.set(requests, prepared);
  }
  return prepared;
}
