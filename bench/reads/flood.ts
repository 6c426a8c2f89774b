import { prepareGet, RawConnection, type RawRequest } from '@tributary/rig';

/** Responses per second over a number of connections, each with one request in flight. */
export async function floodLightly(
  baseUrl: string,
  requests: readonly RawRequest[],
  { seconds, connections, status }: { seconds: number; connections: number; status: number },
): Promise<{ responseCount: number; perSecond: number }> {
  const url = new URL(baseUrl);
  const prepared = preparedFor(url.host, requests);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let responses = 0;
  const work = async (first: number) => {
    using connection = await RawConnection.open(url);
    for (let at = first + 1; performance.now() < endAt; at += 1) {
      const responseStatus = await connection.send(prepared[at % prepared.length]!);
      if (responseStatus !== status)
        throw new Error(
          `Expected ${status} but got ${responseStatus}: ${requests[at % prepared.length]!.path}`,
        );
      responses += 1;
    }
  };
  const apart = Math.floor(prepared.length / connections);
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection * apart)));
  return { responseCount: responses, perSecond: (responses * 1000) / (performance.now() - startedAt) };
}

const known = new WeakMap<readonly RawRequest[], Buffer[]>();

/** Prepared once for each list. */
function preparedFor(host: string, requests: readonly RawRequest[]): Buffer[] {
  let prepared = known.get(requests);
  if (!prepared) {
    prepared = requests.map((request) => prepareGet(host, request));
    known.set(requests, prepared);
  }
  return prepared;
}
