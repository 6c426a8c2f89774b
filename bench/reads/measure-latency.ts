import { median, progress, quantile, type RawRequest, readMetrics } from '@tributary/rig';
import { measureArrivals } from './arrivals.ts';
import { getAs, getDaily } from './people.ts';
import type { Setting } from './setting.ts';

/** One round at a steady rate, in milliseconds, and where the slowest responses may have waited. */
interface Latency {
  p99: number;
  /** p99 of the load generator's own delay. */
  late: number;
  /** p99 of the service's event loop delay. */
  loop: number;
  /** The share of time that the service spent in garbage collection. */
  garbage: number;
}

/** Measures latency at a steady rate, against a route that does nothing. */
export async function measureLatency(setting: Setting): Promise<void> {
  const { short, rounds, people, report } = setting;
  const noop = people.map((person) => getAs(person, '/healthz'));
  const daily = people.map((person) => getDaily(person));
  const measured = { noop: [] as Latency[], daily: [] as Latency[] };
  for (let round = 1; round <= rounds; round += 1) {
    measured.noop.push(await measureRound(setting, noop));
    measured.daily.push(await measureRound(setting, daily));
    const [ours, theirs] = [measured.daily.at(-1)!, measured.noop.at(-1)!];
    progress(`arrivals, round ${round} of ${rounds}: ${describe(theirs)}; daily: ${describe(ours)}`);
  }
  const medianOf = (kind: keyof typeof measured, part: keyof Latency): number =>
    median(measured[kind].map((latency) => latency[part]));
  const above = medianOf('daily', 'p99') - medianOf('noop', 'p99');
  const most = short ? 3_000 : 15;
  report.bound(
    'p99 at 500 requests per second: above a no-op route',
    `${above.toFixed(1)} ms (${medianOf('daily', 'p99').toFixed(1)} and ${medianOf('noop', 'p99').toFixed(1)})`,
    `≤ ${most} ms`,
    above <= most,
  );
  for (const [kind, title] of [
    ['daily', 'daily'],
    ['noop', 'no-op route'],
  ] as const)
    report.note(
      `${title}: p99 of sender delay, of event loop lag; garbage collection`,
      `${medianOf(kind, 'late').toFixed(1)}, ${medianOf(kind, 'loop').toFixed(1)} ms; ${(medianOf(kind, 'garbage') * 100).toFixed(1)}%`,
    );
}

async function measureRound(
  { run, api, seconds }: Setting,
  requests: readonly RawRequest[],
): Promise<Latency> {
  const before = await readMetrics(run.api[0]!); // resets the event loop delays
  const startedAt = performance.now();
  const { times, late } = await measureArrivals(api.url, requests, { perSecond: 500, seconds });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const after = await readMetrics(run.api[0]!);
  return {
    p99: quantile(times, 0.99),
    late: quantile(late, 0.99),
    loop: (after.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1000,
    garbage: (garbageSeconds(after) - garbageSeconds(before)) / elapsedSeconds,
  };
}

function garbageSeconds(samples: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [name, value] of samples) if (name.startsWith('nodejs_gc_duration_seconds_sum')) sum += value;
  return sum;
}

function describe({ p99, late, loop, garbage }: Latency): string {
  return `p99 ${p99.toFixed(1)} ms (sender delay ${late.toFixed(1)}, event loop lag ${loop.toFixed(1)}, garbage collection ${(garbage * 100).toFixed(1)}%)`;
}
