import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics } from '@tributary/rig';

const sampleIntervalMs = 1_000;

/** Reads the longest block of the event loop of a node since the previous reading, until stopped. */
export function watchEventLoop(node: Parameters<typeof readMetrics>[0]): { stop: () => Promise<number> } {
  let longestMs = 0;
  const stopping = new AbortController();
  const sampling = (async () => {
    await readMetrics(node); // forgets what came before
    while (!stopping.signal.aborted) {
      await sleep(sampleIntervalMs);
      const seconds = (await readMetrics(node)).get('nodejs_eventloop_lag_max_seconds') ?? Number.NaN;
      longestMs = Math.max(longestMs, seconds * 1_000);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sampling;
      return longestMs;
    },
  };
}
