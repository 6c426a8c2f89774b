/**
 * Syncing can be trusted: people live with their providers for weeks, calls fail, limits are used up, pushes get lost, documents come late and
 * are changed, consents are taken back, and the processes that read are killed. In the end the service knows what the providers would tell now,
 * has lost no consent, kept every limit, and shown nobody a token.
 *
 * What it knows is compared with what a second user gets who connects at the end and for whom all of it is read once, by one process, while
 * nothing goes wrong. Looking again and again, pushes, kills, faults, what is remembered between looks and the order of things play no part in
 * that, so it proves that none of them loses, doubles or changes anything. Both are read by the same readers and mappers: that nothing is missing
 * or misread in both is seen from values of each provider that are held against what the people of the lab did. What providers tell only as of
 * now, and what one tells by push alone, the second user is told again as the lab told it; what Polar tells no more decides nothing, since people
 * with Polar enter their highest heart rate.
 *
 * The shipped service runs with its declared seams for tests: short pauses between provider calls, which the moved clock would not shorten,
 * and signatures that may be a day off, since the lab's clock moves first. Scores are computed as usual but not compared.
 */
import { parseArgs } from 'node:util';
import { chooseFaults, findFaults, limitRunTime, listFaults, progress, Report } from '@tributary/rig';
import type { Difference } from './sync/answers.ts';
import { plants } from './sync/plants.ts';
import { runSync, type SyncOptions, type SyncResult } from './sync/run.ts';

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

Connects people of a lab with all providers, moves the clocks of lab and service on together while things go wrong, and lets the last of it
come in. Then reads everything once more for users who have nothing yet, compares every daily value, night and workout, and holds some of each
provider against what the people of the lab did.

  --short      8 people, 3 days and 4 kills instead of 200, 30 and 50
  --people     so many
  --days       so many days with faults; nine and a half without follow
  --kills      so many
  --seed       the same seed plans the same people, kills and revocations
  --plant      puts a fault into a copy of the service; the run, of 2 days, succeeds if the comparison finds it
  --plant-all  all of them, one after the other

${listFaults(plants)}`);
  process.exit(0);
}

const hourMs = 3_600_000;
const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: SyncOptions = {
  seed,
  people: Number(values.people ?? (isShort ? 8 : 200)),
  days: Number(values.days ?? (chosen ? 2 : isShort ? 3 : 30)),
  kills: Number(values.kills ?? (chosen ? 2 : isShort ? 4 : 50)),
  historyDays: isShort ? 3 : 7,
  // Not a part of a day, so that looks fall on all of its quarters.
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
    return { isFound: seen > 0, sign, inAll: `${seen} times` };
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
  report.note('people, consents, days with faults', `${options.people}, ${result.consents}, ${options.days}`);
  report.note('requests, refreshes', `${result.requests}, ${result.refreshes}`);
  report.note(
    'faults that struck',
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
    'kills that fell at work',
    `${atWork} of ${all}, ${atRefresh} between new tokens and their commit`,
    'at least half',
    atWork * 2 >= all,
  );
  report.note(
    'seconds by what was waited for',
    Object.entries(result.spent)
      .map(([what, seconds]) => `${what} ${seconds.toFixed(0)}`)
      .join(', '),
  );
  report.bound(
    'values, nights and workouts that differ from a fresh reading',
    `${differences.length} of ${result.values}, from ${result.compared} consents`,
    '0 of some',
    differences.length === 0 && result.values > 0,
  );
  report.bound(
    'values that differ from what the people did',
    `${truth.differences.length} of ${[...truth.values].map(([id, count]) => `${id} ${count}`).join(', ')}`,
    '0 of some of each',
    truth.differences.length === 0 && [...truth.values.values()].every((count) => count > 0),
  );
  report.note('values with readings left over of sleeps that were made shorter', String(result.leftOver));
  none('readings that come to no end', result.unfinished);
  report.bound('batches set aside', String(result.setAside), '0', result.setAside === 0);
  report.bound('deadlocks in the database', String(result.deadlocks), '0', result.deadlocks === 0);
  none('consents lost', verdict.lost);
  report.bound('refresh tokens used again', String(result.reuses), '0', result.reuses === 0);
  none('consents taken back and not noticed', verdict.unnoticed);
  none('consents taken back and not told of once', verdict.misreported);
  none('consents told of as over that are not', verdict.slandered);
  none('limits of providers exceeded', result.exceeded);
  none('places where a secret can be read', result.leaks);
  report.note('looked for secrets in', result.looked.join(', '));
  explain('a fresh reading', differences);
  explain('what the people did', truth.differences);
  report.print(
    `Syncing, ${result.seconds.toFixed(0)} s, ${result.liveSeconds.toFixed(0)} of them for the days`,
  );
}

function explain(from: string, differences: readonly Difference[]): void {
  if (differences.length === 0) return;
  console.log(`\nThe first of ${differences.length} differences from ${from}:\n`);
  for (const { person, what, expected, found } of differences.slice(0, 12))
    console.log(
      `${person}, ${what}\n  expected ${expected.slice(0, 400)}\n  synced   ${found.slice(0, 400)}`,
    );
}
