import autocannon from 'autocannon';
import { processorMicrosOf } from '../compare/machine.ts';

export interface Figure {
  perSecond: number;
  /** Processor time of the serving process, which is less sensitive to noise on the machine than rates. */
  cpuMicros: number;
}

/** Sends requests on this number of connections. Any response other than 200 fails the run. */
export async function measure(
  { url, pid }: { url: string; pid: number },
  requests: autocannon.Request[],
  { connections, duration }: { connections: number; duration: number },
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
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} responses were not 200, and ${result.errors} requests failed`);
  }
  const responseCount = result['2xx'];
  return {
    perSecond: responseCount / result.duration,
    cpuMicros: (processorMicrosOf(pid) - before) / responseCount,
  };
}
