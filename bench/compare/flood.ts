import { prepareGet, RawConnection, type RawRequest } from '@tributary/rig';

/** Requests of one API key. */
export type KeyRequests = readonly RawRequest[];

/** The shortest time between two requests with one key, so that each stays below its limit. */
export const leastGapMs = 16;

/**
 * Chooses the key of the next request: the first that has rested long enough. A slow machine uses few keys and a fast one many, and each
 * key is used at the same rate. With a fixed number of keys, the service would reload most of them whenever the machine is slow, and the
 * ratio would depend on the machine's load.
 */
export class KeyRotation {
  readonly #usedAt: number[];
  readonly #uses: number[];

  constructor(keys: number) {
    this.#usedAt = Array.from({ length: keys }, () => -Infinity);
    this.#uses = Array.from({ length: keys }, () => 0);
  }

  /** The key, and how often it was chosen before, or null if all keys have to rest. */
  next(nowMs: number): { key: number; uses: number } | null {
    const key = this.#usedAt.findIndex((usedAt) => nowMs - usedAt >= leastGapMs);
    if (key === -1) return null;
    this.#usedAt[key] = nowMs;
    return { key, uses: this.#uses[key]!++ };
  }
}

/** Responses per second over a number of connections, each with one request in flight. */
export async function floodByKey(
  baseUrl: string,
  keys: readonly KeyRequests[],
  { seconds, connections, status }: { seconds: number; connections: number; status: number },
): Promise<{ responses: number; seconds: number }> {
  const url = new URL(baseUrl);
  const rotation = new KeyRotation(keys.length);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let responses = 0;
  const work = async (): Promise<void> => {
    using connection = await RawConnection.open(url);
    for (let now = performance.now(); now < endAt; now = performance.now()) {
      const chosen = rotation.next(now);
      if (!chosen) throw new Error(`${keys.length} keys are not enough for this machine`);
      const requests = keys[chosen.key]!;
      const request = requests[chosen.uses % requests.length]!;
      const responseStatus = await connection.send(preparedFor(url.host, request));
      if (responseStatus !== status)
        throw new Error(`Expected ${status} but got ${responseStatus}: ${request.path}`);
      responses += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { responses, seconds: (performance.now() - startedAt) / 1000 };
}

const known = new WeakMap<RawRequest, Buffer>();

/** Prepared once for each request. */
function preparedFor(host: string, request: RawRequest): Buffer {
  let prepared = known.get(request);
  if (!prepared) known.set(request, (prepared = prepareGet(host, request)));
  return prepared;
}
