/**
 * The audit log tells of everything that is done to it, and loses nothing: whatever somebody with all rights in the database changes is noticed,
 * a log that nobody touched is never called touched, and every committed entry is in it once, however often the process that chains is killed.
 */
import { parseArgs } from 'node:util';
import { chooseFaults, findFaults, limitRunTime, listFaults, progress, Report } from '@tributary/rig';
import { plants } from './audit/plants.ts';
import { runKills } from './audit/run-kills.ts';
import { runTamperings } from './audit/run-tamperings.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    tamperings: { type: 'string' },
    kills: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:audit -- [--short] [--tamperings <number>] [--kills <number>] [--seed <text>] [--plant <name> | --plant-all]

Grows three chains, changes them in every way there is as a superuser, one way at a time, and verifies; puts it right, and verifies again.
Then writes entries while the process that chains them is killed, and compares the log with what was committed.

  --short       150 tamperings and 5 kills instead of 1,000 and 30
  --tamperings  so many
  --kills       so many
  --seed        the same seed plans the same entries, tamperings and pauses
  --plant       puts a fault into a copy of the service; the run succeeds if it is found
  --plant-all   all of them, one after the other

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const tamperings = Number(values.tamperings ?? (isShort ? 150 : 1_000));
const kills = Number(values.kills ?? (isShort ? 5 : 30));
limitRunTime(isShort ? 10 * (chosen?.length ?? 1) : 25);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    if (sign === 'missed' || sign === 'falseAlarms') {
      const result = await runTamperings({ seed, tamperings, patches });
      const names = [...new Set(result[sign])];
      return {
        isFound: names.length > 0,
        sign,
        inAll: `${names.length} kinds: ${names.slice(0, 3).join(', ')}`,
      };
    }
    const { problems, ...counts } = await runKills({ seed, kills: 12, patches });
    const { missing, repeated, unreal, outOfOrder } = counts;
    const inAll = Object.entries({ missing, repeated, unreal, outOfOrder, problems: problems.length });
    return {
      isFound: counts[sign] > 0,
      sign,
      inAll: inAll.map(([what, count]) => `${what} ${count}`).join(', '),
    };
  });
else await prove();

async function prove(): Promise<void> {
  const report = new Report();
  report.note('seed', seed);
  const tampered = await runTamperings({ seed, tamperings });
  report.note('chains', `${tampered.entries} entries in 3`);
  report.note(
    'tamperings',
    `${tampered.made} of ${tampered.kinds} kinds in ${tampered.seconds.toFixed(0)} s`,
  );
  for (const name of new Set([...tampered.missed, ...tampered.falseAlarms])) progress(`wrong: ${name}`);
  report.bound('tamperings missed', String(tampered.missed.length), '0', tampered.missed.length === 0);
  report.bound('false alarms', String(tampered.falseAlarms.length), '0', tampered.falseAlarms.length === 0);

  const killed = await runKills({ seed, kills });
  report.note(
    'entries committed',
    `${killed.committed}, with ${killed.kills} kills, in ${killed.seconds.toFixed(0)} s`,
  );
  const { missing, repeated, unreal, outOfOrder, problems } = killed;
  for (const problem of problems.slice(0, 5)) progress(`wrong: ${problem}`);
  for (const [what, count] of Object.entries({
    missing,
    repeated,
    unreal,
    outOfOrder,
    problems: problems.length,
  }))
    report.bound(`under kills: ${what}`, String(count), '0', count === 0);
  report.print('Audit log');
}
