import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { prepareGet, RawConnections, type RawRequest } from '@tributary/rig';

/** Requests at a steady rate, independent of response times. */
interface Arrivals {
  url: string;
  requests: readonly RawRequest[];
  perSecond: number;
}

/** The timings of the requests, in milliseconds. */
export interface ArrivalTimes {
  /** From when each request was due until its response arrived. Requests that wait behind a stalled one include that wait. */
  times: number[];
  /** From when each request was due until it was sent, which is the load generator's share of the time. */
  late: number[];
}

/**
 * Sends requests at a steady rate. A separate thread sends them, because a client with small requests does not wait until another client
 * has read its megabytes.
 */
export async function measureArrivals(
  url: string,
  from: readonly RawRequest[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<ArrivalTimes> {
  const requests = Array.from(
    { length: perSecond * seconds },
    (_, sent) => from[(sent * 7919) % from.length]!,
  );
  const arrivals: Arrivals = { url, requests, perSecond };
  const thread = new Worker(new URL(import.meta.url), { workerData: arrivals });
  const [measured] = (await once(thread, 'message')) as [ArrivalTimes];
  return measured;
}

async function sendSteadily({ url, requests, perSecond }: Arrivals): Promise<ArrivalTimes> {
  using connections = new RawConnections(url, 256);
  const { host } = new URL(url);
  const prepared = requests.map((request) => prepareGet(host, request));
  // A new thread compiles its code during the first requests.
  for (const request of prepared.slice(0, 20)) await connections.send(request);
  const times: number[] = [];
  const late: number[] = [];
  const open: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < prepared.length;) {
    for (; sent < prepared.length; sent += 1) {
      const dueAt = startedAt + (sent * 1000) / perSecond;
      const lateMs = performance.now() - dueAt;
      if (lateMs < 0) break;
      late.push(lateMs);
      const response = connections.send(prepared[sent]!).then((status) => {
        if (status !== 200) throw new Error(`A request returned ${status}.`);
        times.push(performance.now() - dueAt);
      });
      open.push(response);
    }
    await sleep(1);
  }
  await Promise.all(open);
  return { times, late };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
if (!isMainThread) parentPort!.postMessage(await sendSteadily(workerData as Arrivals));
