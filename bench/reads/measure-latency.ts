import { median, progress, quantile } from '@tributary/rig';
import { measureArrivals } from './arrivals.ts';
import { getAs, getDaily } from './people.ts';
import type { Setting } from './setting.ts';

/** Latency at a steady rate, against a route that does nothing. */
export async function measureLatency({
  short,
  rounds,
  seconds,
  api,
  people,
  report,
}: Setting): Promise<void> {
  const steady = { perSecond: 500, seconds };
  const noop = people.map((person) => getAs(person, '/healthz'));
  const daily = people.map((person) => getDaily(person));
  const p99 = { noop: [] as number[], daily: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    p99.noop.push(quantile(await measureArrivals(api.url, noop, steady), 0.99));
    p99.daily.push(quantile(await measureArrivals(api.url, daily, steady), 0.99));
    const [ours, theirs] = [p99.daily.at(-1)!, p99.noop.at(-1)!];
    progress(`arrivals, round ${round} of ${rounds}: p99 ${theirs.toFixed(1)} and ${ours.toFixed(1)} ms`);
  }
  const above = median(p99.daily) - median(p99.noop);
  const most = short ? 3_000 : 15;
  report.bound(
    'p99 at 500 arrivals a second: above a route that does nothing',
    `${above.toFixed(1)} ms (${median(p99.daily).toFixed(1)} and ${median(p99.noop).toFixed(1)})`,
    `≤ ${most} ms`,
    above <= most,
  );
}
