/**
 * Syncing is reliable. Users live with their providers for weeks while calls fail, limits are exhausted, pushes are lost, documents arrive
 * late and are revised, consents are revoked, and the processes that sync are killed. At the end the service knows what the providers would
 * return now, has lost no consent, exceeded no limit, and exposed no token.
 *
 * The result is compared with a second user, who connects at the end and whose data one process reads once, without faults. Repeated sync
 * runs, pushes, kills, faults, stored sync state and ordering have no part in that, so the comparison proves that none of them loses,
 * duplicates or changes anything. Both users are read by the same readers and mappers. Errors that affect both are found by comparing
 * values of each provider with what the lab's simulated users did. Data that providers return only for the present, or send only by push,
 * is replayed to the second user as the lab sent it. History that Polar no longer returns cannot change the result, since users with Polar
 * have a maximum heart rate in their profile.
 *
 * The shipped service runs with its declared test settings: short pauses between provider calls, which the moved clock would not shorten,
 * and signatures that may be a day off, since the lab's clock moves first. Scores are computed as usual but not compared.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
  progress,
  Report,
} from '@tributary/rig';
import type { Difference } from './sync/canonical-values.ts';
import { plants } from './sync/plants.ts';
import { runSync, type SyncResult } from './sync/run.ts';
import type { SyncOptions } from './sync/options.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    people: { type: 'string' },
    days: { type: 'string' },
    kills: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:sync -- [--short] [--people <number>] [--days <number>] [--kills <number>] [--seed <text>]
                             [--plant <name> | --plant-all]

Connects simulated users with all providers, advances the clocks of lab and service together while faults occur, and waits for the last
data. Then reads everything again for new users, compares every daily value, night and workout, and checks some values of each provider
against the lab's true values.

  --short      8 users, 3 days and 4 kills instead of 200, 30 and 50
  --people     number of users
  --days       number of days with faults; nine and a half without faults follow
  --kills      number of kills
  --seed       reuse a seed to repeat the same users, kills and revocations
  --plant      plant a fault in a copy of the service; the run, of 2 days, passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const hourMs = 3_600_000;
const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: SyncOptions = {
  seed,
  people: Number(values.people ?? (isShort ? 8 : 200)),
  days: Number(values.days ?? (chosen ? 2 : isShort ? 3 : 30)),
  kills: Number(values.kills ?? (chosen ? 2 : isShort ? 4 : 50)),
  historyDays: isShort ? 3 : 7,
  // Not a divisor of a day, so that sync runs fall on all quarters of it.
  stepMs: (isShort ? 18 : 26) * hourMs,
  quietStepMs: 44 * hourMs,
  revocations: isShort ? 1 : 5,
};
limitRunTime(isShort ? 20 * (chosen?.length ?? 1) : 360);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign, count }) => {
    const result = await runSync({ ...options, patches });
    const seen = count(result);
    return { isDetected: seen > 0, sign, inAll: `${seen} times` };
  });
else prove(await runSync(options));

function prove(result: SyncResult): void {
  const report = new Report();
  const none = (what: string, list: readonly string[]): void =>
    report.bound(
      what,
      list.length === 0 ? 'none' : `${list.length}: ${list.slice(0, 4).join(', ')}`,
      'none',
      list.length === 0,
    );
  const { verdict, pushes, differences, truth } = result;
  report.note('seed', seed);
  report.note('users, consents, days with faults', `${options.people}, ${result.consents}, ${options.days}`);
  report.note('requests, refreshes', `${result.requests}, ${result.refreshes}`);
  report.note(
    'faults injected',
    Object.entries(result.struck)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', '),
  );
  report.note(
    'pushes',
    `${pushes.succeeded} arrived, ${pushes.failed.join(' and ') || 'none'} refused, ${pushes.lost} lost`,
  );
  const { all, atWork, atRefresh } = result.kills;
  report.bound(
    'kills during work',
    `${atWork} of ${all}, ${atRefresh} between new tokens and their commit`,
    'at least half',
    atWork * 2 >= all,
  );
  report.note(
    'seconds spent waiting, by cause',
    Object.entries(result.spent)
      .map(([what, seconds]) => `${what} ${seconds.toFixed(0)}`)
      .join(', '),
  );
  report.bound(
    'values, nights and workouts that differ from a fresh read',
    `${differences.length} of ${result.values}, from ${result.compared} consents`,
    '0, with some compared',
    differences.length === 0 && result.values > 0,
  );
  report.bound(
    "values that differ from the lab's true values",
    `${truth.differences.length} of ${[...truth.values].map(([id, count]) => `${id} ${count}`).join(', ')}`,
    '0, with some compared per provider',
    truth.differences.length === 0 && [...truth.values.values()].every((count) => count > 0),
  );
  report.note('values with leftover readings of shortened sleep sessions', String(result.leftOver));
  none('syncs that do not finish', result.unfinished);
  report.bound('dead letters', String(result.setAside), '0', result.setAside === 0);
  report.bound('deadlocks in the database', String(result.deadlocks), '0', result.deadlocks === 0);
  none('consents lost', verdict.lost);
  report.bound('refresh tokens reused', String(result.reuses), '0', result.reuses === 0);
  none('revoked consents not detected', verdict.unnoticed);
  none('revoked consents not reported exactly once', verdict.misreported);
  none('active consents reported as revoked', verdict.slandered);
  none('provider limits exceeded', result.exceeded);
  none('places with a readable secret', result.leaks);
  report.note('searched for secrets in', result.searchedPlaces.join(', '));
  explain('a fresh read', differences);
  explain("the lab's true values", truth.differences);
  report.print(
    `Provider sync, ${result.seconds.toFixed(0)} s, ${result.liveSeconds.toFixed(0)} of them for the simulated days`,
  );
}

function explain(from: string, differences: readonly Difference[]): void {
  if (differences.length === 0) return;
  console.log(`\nThe first of ${differences.length} differences from ${from}:\n`);
  for (const { person, what, expected, actual } of differences.slice(0, 12))
    console.log(
      `${person}, ${what}\n  expected ${expected.slice(0, 400)}\n  synced   ${actual.slice(0, 400)}`,
    );
}
