/**
 * Webhooks can be trusted: endpoints hang and fail, workers are killed and the broker is restarted; still every event arrives, hardly any
 * twice, those of one user in their order, and healthy endpoints get theirs as soon as if nothing were wrong with the others.
 */
import { parseArgs } from 'node:util';
import { limitRunTime, median, progress, quantile, Report } from '../bench/report.ts';
import { runWebhooks, type WebhooksOptions } from './webhooks/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:webhooks -- [--short] [--seed <text>]

Sends events to 50 endpoints over real HTTP: first as many as can be delivered, then by turns with and without endpoints that hang, then
with 10 that hang and 5 that fail at random, while workers are killed and the broker is restarted. Compares what arrived with what was told.

  --short  3,000 events, 3 kills and 1 restart instead of 100,000, 30 and 3
  --seed   the same seed plans the same events and kills`);
  process.exit(0);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
const isShort = values.short;
const options: WebhooksOptions = {
  seed,
  endpoints: 50,
  hanging: 10,
  failing: 5,
  events: isShort ? 3_000 : 100_000,
  perSecond: isShort ? 150 : 400,
  kills: isShort ? 3 : 30,
  restarts: isShort ? 1 : 3,
  burst: isShort ? 2_000 : 20_000,
  rounds: isShort ? 1 : 5,
  roundSeconds: isShort ? 4 : 10,
};
limitRunTime(isShort ? 6 : 30);
progress(`seed ${seed}`);
const result = await runWebhooks(options);
const { deliveries, receivers, latencies } = result;
const report = new Report();
report.note('seed', seed);
report.note('events, each for one of the endpoints', `${deliveries.committed}, ${options.endpoints}`);
report.note('of these under fire', `${options.events} in ${result.troubledSeconds.toFixed(0)} s`);
report.bound('lost', String(deliveries.lost), '0', deliveries.lost === 0);
report.bound('that the service counts as not delivered', String(result.pending), '0', result.pending === 0);
const repeatedPart = deliveries.repeated / options.events;
report.bound(
  'answered with success more than once, always with the same id',
  `${deliveries.repeated} (${(100 * repeatedPart).toFixed(3)} %)`,
  isShort ? '≤ 10' : '< 0.1 %',
  isShort ? deliveries.repeated <= 10 : repeatedPart < 0.001,
);
report.bound(
  'at an endpoint that they were not for',
  String(deliveries.strays),
  '0',
  deliveries.strays === 0,
);
report.bound(
  'first attempts out of the order of their user',
  String(result.outOfOrder),
  '0',
  result.outOfOrder === 0,
);
report.bound(
  'signatures that standardwebhooks refused',
  `${receivers.forged} of ${receivers.verified}`,
  '0',
  receivers.forged === 0,
);
/** Machines of CI are shared: the short form shows there that nothing is stuck, and the full one how fast it is. */
const mostP99Ms = isShort ? 5_000 : 1_000;
report.bound(
  `commit to healthy endpoint under fire, ${latencies.length} events`,
  `p50 ${quantile(latencies, 0.5).toFixed(0)}, p99 ${quantile(latencies, 0.99).toFixed(0)} ms`,
  `p99 < ${mostP99Ms} ms`,
  quantile(latencies, 0.99) < mostP99Ms,
);
const ratio = median(result.hangingP99) / median(result.calmP99);
report.bound(
  'p99 while ten hang, of that while all answer',
  `${ratio.toFixed(2)} (${format(result.hangingP99)} of ${format(result.calmP99)} ms)`,
  isShort ? '≤ 3' : '≤ 1.1',
  ratio <= (isShort ? 3 : 1.1),
);
const leastPerSecond = isShort ? 200 : 800;
report.bound(
  'deliveries a second, all at once',
  result.burstPerSecond.toFixed(0),
  `≥ ${leastPerSecond}`,
  result.burstPerSecond >= leastPerSecond,
);
report.note('until everything had arrived after that', `${result.drainSeconds.toFixed(0)} s`);
report.print('Webhooks under fire');

function format(times: readonly number[]): string {
  return times.map((ms) => ms.toFixed(0)).join(', ');
}
