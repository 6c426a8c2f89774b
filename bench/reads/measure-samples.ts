import { dayEndMs, dayStartMs } from '@tributary/domain';
import { median, progress, quantile } from '@tributary/rig';
import { measureArrivals } from './arrivals.ts';
import { lastDay } from './fill.ts';
import { getDaily, getSamples } from './people.ts';
import { assertSame, flood, peakMemory } from './served.ts';
import { boundRatio, noteProcessorRatio, ratios, type Setting } from './setting.ts';

/** Two clients that read as fast as samples arrive. */
const streams = { connections: 2 };

/** Measures weeks of samples against a bare handler, their effect on other clients, and their memory use. */
export async function measureSamples(setting: Setting): Promise<void> {
  const { rounds, seconds, api, bare, report } = setting;
  const week = setting.withWeek.map((person) => getSamples(person, 7));
  const [fromMs, toMs] = [dayStartMs(lastDay - 6, 'Europe/Berlin'), dayEndMs(lastDay, 'Europe/Berlin')];
  const bareWeek = setting.withWeek.map(({ account, uuid }) => ({
    path: `/samples/${account.uuid}/${uuid}?from=${fromMs}&to=${toMs}`,
  }));
  await assertSame(api, week[0]!, bare, bareWeek[0]!);
  const rates = { service: [] as number[], bare: [] as number[] };
  await flood(bare, bareWeek, 2, streams);
  await flood(api, week, 2, streams);
  for (let round = 1; round <= rounds; round += 1) {
    rates.bare.push(await flood(bare, bareWeek, seconds, streams));
    rates.service.push(await flood(api, week, seconds, streams));
    const [ours, theirs] = [rates.service.at(-1)!, rates.bare.at(-1)!];
    progress(`samples, round ${round} of ${rounds}: ${ours.toFixed(1)} and ${theirs.toFixed(1)} per second`);
  }
  boundRatio(
    setting,
    '7 days of heart rate: ratio to a bare handler',
    ratios(rates.service, rates.bare),
    0.8,
    0.5,
  );
  report.note(
    'weeks of heart rate per second: service, bare',
    `${median(rates.service).toFixed(1)}, ${median(rates.bare).toFixed(1)}`,
  );
  const used = [api.used.get(week), bare.used.get(bareWeek)];
  report.note(
    'CPU time per request: service, bare',
    `${used.map((all) => (median(all!) / 1000).toFixed(1)).join(', ')} ms`,
  );
  noteProcessorRatio(setting, 'CPU time: samples, ratio to a bare handler', [api, week], [bare, bareWeek]);
  await measureOthers(setting);
  await measureMemory(setting);
}

/** A route that does nothing, requested at the same time from the same machine, shows how much of the wait is not the service's. */
async function measureOthers({ short, api, people, withWeek, report }: Setting): Promise<void> {
  const week = withWeek.map((person) => getSamples(person, 7));
  const daily = people.map((person) => getDaily(person));
  const steady = { perSecond: 50, seconds: short ? 3 : 14 };
  await flood(api, daily, 2);
  const flooding = flood(api, week, short ? 4 : 15, streams);
  const [dailyArrivals, idle] = await Promise.all([
    measureArrivals(api.url, daily, steady),
    measureArrivals(api.url, [{ path: '/healthz' }], steady),
  ]);
  await flooding;
  const p99 = quantile(dailyArrivals.times, 0.99);
  // The short run shows that no client waits for a whole week; the full run checks the goal.
  const most = short ? 5_000 : 30;
  report.bound(
    'other requests during streams: p99',
    `${p99.toFixed(1)} ms (median ${median(dailyArrivals.times).toFixed(1)})`,
    `< ${most} ms`,
    p99 < most,
  );
  report.note(
    'no-op route during streams: p99',
    `${quantile(idle.times, 0.99).toFixed(1)} ms (median ${median(idle.times).toFixed(1)})`,
  );
}

async function measureMemory({
  short,
  rounds,
  seconds,
  api,
  withWeek,
  withMonth,
  report,
}: Setting): Promise<void> {
  const week = withWeek.map((person) => getSamples(person, 7));
  const month = withMonth.map((person) => getSamples(person, 31));
  const peaks = { week: [] as number[], month: [] as number[] };
  // Do not alternate: a process keeps memory for a while, and a week after a month would resemble the month.
  for (let round = 0; round < rounds; round += 1)
    peaks.week.push(await peakMemory(api, () => flood(api, week, seconds, streams)));
  for (let round = 0; round < rounds; round += 1)
    peaks.month.push(await peakMemory(api, () => flood(api, month, seconds, streams)));
  const most = short ? 80 : 20;
  const growth = median(peaks.month) - median(peaks.week);
  report.bound(
    'memory: 31 days above 7 days',
    `${growth.toFixed(0)} MB (${median(peaks.week).toFixed(0)} and ${median(peaks.month).toFixed(0)})`,
    `≤ ${most} MB; bodies of 10 and 46 MB`,
    growth <= most,
  );
}
