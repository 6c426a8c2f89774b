import autocannon from 'autocannon';
import { processorMicrosOf } from '../compare/machine.ts';

export interface Figure {
  perSecond: number;
  /** Processor time of the serving process, which is less sensitive to noise on the machine than rates. */
  cpuMicros: number;
}

/** Sends requests on this number of connections. Any response with another status, 200 by default, fails the run. */
export async function measure(
  { url, pid }: { url: string; pid: number },
  requests: autocannon.Request[],
  { connections, duration, status = 200 }: { connections: number; duration: number; status?: 200 | 304 },
): Promise<Figure> {
  const before = processorMicrosOf(pid);
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration,
    // Each connection starts with another key, so that no key gets all its requests at the same moment.
    setupClient(client) {
      const from = Math.floor((clients++ * requests.length) / connections) % requests.length;
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    },
  });
  const [responseCount, others] =
    status === 200
      ? [result['2xx'], result.non2xx]
      : [result['3xx'], result.non2xx + result['2xx'] - result['3xx']];
  if (others > 0 || result.errors > 0)
    throw new Error(`${others} responses were not ${status}, and ${result.errors} requests failed`);
  return {
    perSecond: responseCount / result.duration,
    cpuMicros: (processorMicrosOf(pid) - before) / responseCount,
  };
}
