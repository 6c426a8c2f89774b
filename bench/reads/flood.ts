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
      let isEnd: ((chunk: Buffer) => boolean) | null = null;
      const next = () => {
        if (performance.now() >= endAt) {
          socket.destroy();
          return resolve();
        }
        isEnd = null;
        socket.write(prepared[(at += 1) % prepared.length]!);
      };
      socket.once('connect', next);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed before the answer')));
      socket.on('data', (chunk) => {
        isEnd ??= endOf(chunk, status);
        if (!isEnd(chunk)) return;
        answers += 1;
        next();
      });
    });
  const apart = Math.floor(prepared.length / connections);
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection * apart)));
  return { answers, perSecond: (answers * 1000) / (performance.now() - startedAt) };
}

const lastPiece = '0\r\n\r\n';

/** Tells the last piece of an answer, given all of its pieces; the first holds all headers. */
function endOf(first: Buffer, status: number): (chunk: Buffer) => boolean {
  const head = first.toString('latin1', 0, Math.min(first.length, 2048));
  const end = head.indexOf('\r\n\r\n');
  if (end < 0 || !head.startsWith(`HTTP/1.1 ${status}`))
    throw new Error(`not ${status}: ${head.slice(0, 200)}`);
  if (/transfer-encoding: chunked/i.test(head)) {
    let tail = '';
    return (chunk) => {
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - lastPiece.length))).slice(
        -lastPiece.length,
      );
      return tail === lastPiece;
    };
  }
  let left = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? '0');
  return (chunk) => (left -= chunk.length) <= 0;
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
