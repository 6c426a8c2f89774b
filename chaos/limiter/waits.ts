import { readMetrics, type RunStack } from '@tributary/rig';

/** Where a decision was made, as labeled in the service's metrics. */
export const sources = [
  { source: 'local', title: 'limiter wait with an open breaker' },
  { source: 'tripped', title: 'limiter wait of requests that open it' },
  { source: 'shared', title: 'limiter wait with Redis' },
  { source: 'credit', title: 'limiter wait with local credit' },
];

/** Cumulative counts by upper bound in seconds, summed over all nodes. */
export type Waits = Record<string, Map<number, number>>;

/** Reads how long decisions took, by source. */
export async function readLimiter({ api }: RunStack): Promise<Waits> {
  const waits: Waits = Object.fromEntries(sources.map(({ source }) => [source, new Map()]));
  for (const node of api) {
    for (const [sample, value] of await readMetrics(node)) {
      const [, labels] = /^tributary_limiter_duration_seconds_bucket\{(.*)\}$/.exec(sample) ?? [];
      if (labels === undefined) continue;
      const source = /source="(\w+)"/.exec(labels)?.[1] ?? '';
      const upTo = Number((/le="([^"]+)"/.exec(labels)?.[1] ?? '').replace('+Inf', 'Infinity'));
      const counts = waits[source];
      counts?.set(upTo, (counts.get(upTo) ?? 0) + value);
    }
  }
  return waits;
}
