/**
 * The audit log detects tampering and loses nothing. Verification detects every change that a superuser makes in the database, reports no
 * problem in an untouched log, and finds each committed entry in the log exactly once, however often the process that chains entries is
 * killed.
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

Builds three chains, tampers with them as a superuser in every known way, one at a time, and verifies. Restores the chain after each and
verifies again. Then writes entries while the process that chains them is killed, and compares the log with the committed entries.

  --short       150 tamperings and 5 kills instead of 1,000 and 30
  --tamperings  number of tamperings
  --kills       number of kills
  --seed        reuse a seed to repeat the same entries, tamperings and pauses
  --plant       plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all   plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
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
        isDetected: names.length > 0,
        sign,
        inAll: `${names.length} kinds: ${names.slice(0, 3).join(', ')}`,
      };
    }
    const { problems, ...counts } = await runKills({ seed, kills: 12, patches });
    const { missing, repeated, unreal, outOfOrder } = counts;
    const inAll = Object.entries({ missing, repeated, unreal, outOfOrder, problems: problems.length });
    return {
      isDetected: counts[sign] > 0,
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
    `${tampered.tamperingCount} of ${tampered.kinds} kinds in ${tampered.seconds.toFixed(0)} s`,
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
