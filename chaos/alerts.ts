/**
 * Every failure fires its own alert, and no other. Prometheus and Alertmanager run with the shipped rules and settings beside a service in four
 * roles. Engines and processes are killed or paused one after another, and a receiver collects what Alertmanager sends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limitRunTime, progress, Report, startRunStack } from '@tributary/rig';
import { startMonitoring } from './alerts/monitoring.ts';
import { chooseScenarios, type Scenario } from './alerts/scenarios.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
/** The short form runs beside other work, which delays all processes. */
const boundMs = values.short ? 120_000 : 60_000;
/** Alerts that report a busy machine, as that of the short form is. */
const ofLoad = new Set([
  'EventLoopBlocked',
  'LatencyBudgetBurnsFast',
  'LatencyBudgetBurnsSlow',
  'LoopStalled',
]);
/** How long after the alert others could still follow from the failure. */
const watchMs = 20_000;
const quietMs = 30_000;
const recoverMs = 120_000;

limitRunTime(values.short ? 12 : 40);
const report = new Report();
await using running = await startRunStack(
  ['api', 'api', 'ingest', 'jobs', 'keeper'],
  {},
  { onUnexpectedExit: () => {} },
);
await using monitoring = await startMonitoring(running.stack.nodes);

await monitoring.untilScraped(running.stack.nodes.length);
monitoring.reset();
await sleep(quietMs);
const atFirst = unexpected();
report.bound('alerts while all is well', describe(atFirst), 'none', atFirst.length === 0);
for (const scenario of chooseScenarios(values.short)) await run(scenario);
report.print('Alerts: each failure, its own alert');

async function run({ name, alert, fail, repair }: Scenario): Promise<void> {
  progress(name);
  monitoring.reset();
  const startedAt = performance.now();
  await fail(running);
  const isSent = () => monitoring.sent().has(alert);
  while (!isSent() && performance.now() - startedAt < boundMs + 60_000) await sleep(200);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(watchMs);
  await repair(running);
  const recoveredAt = performance.now();
  while (!(await monitoring.isQuiet()) && performance.now() - recoveredAt < recoverMs) await sleep(500);
  const others = unexpected(alert);
  const measured = `${isSent() ? `after ${seconds.toFixed(0)} s` : 'never'}, others: ${describe(others)}`;
  progress(`${alert} ${measured}`);
  const isKept = isSent() && seconds * 1000 <= boundMs && others.length === 0;
  report.bound(`${name}: ${alert}`, measured, `${boundMs / 1000} s, others: none`, isKept);
  report.bound(
    `${name}: alerts end after the repair`,
    (await monitoring.isQuiet()) ? 'yes' : 'no',
    'yes',
    await monitoring.isQuiet(),
  );
}

/** The alerts that were sent, except the one that the failure should send. */
function unexpected(expected?: string): string[] {
  return [...monitoring.sent()].filter((name) => name !== expected && !(values.short && ofLoad.has(name)));
}

function describe(alerts: readonly string[]): string {
  return alerts.length === 0 ? 'none' : alerts.join(', ');
}
