/**
 * Mail is reliable. The process that sends it is killed repeatedly, and every mail still arrives exactly once. Only if the kill falls
 * between the mail server's reply and the commit does a mail arrive again, under the same Message-ID.
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
import { plants } from './mail/plants.ts';
import { runMail, type MailOptions, type MailResult } from './mail/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:mail -- [--short] [--seed <text>] [--plant <name> | --plant-all]

Sends invitations over real SMTP to a slow mail server while the sending process is killed: at random moments, and right after a reply of
the mail server. Compares the mail that arrived with the mail that should have been sent.

  --short      60 mails and 8 kills instead of 300 and 50
  --seed       reuse a seed to repeat the same delays and kills
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: MailOptions = {
  seed,
  mails: isShort ? 60 : 300,
  kills: isShort ? 8 : 50,
  mostDelayMs: 400,
  mostDrainMs: 60_000,
};
limitRunTime(isShort ? 6 * (chosen?.length ?? 1) : 25);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign, count }) => {
    const seen = count(await runMail({ ...options, patches }));
    return { isDetected: seen > 0, sign, inAll: `${seen} times` };
  });
else prove(await runMail(options));

function prove(result: MailResult): void {
  const report = new Report();
  const zero = (what: string, figure: number): void => report.bound(what, String(figure), '0', figure === 0);
  report.note('seed', seed);
  report.note('mails, kills of the sending process', `${options.mails}, ${options.kills}`);
  zero('mails that did not arrive', result.lost);
  zero('mails not recorded as sent', result.unsent);
  zero('duplicates without a kill between reply and commit', result.repeated);
  zero('mails with a wrong Message-ID', result.misnamed);
  zero('mails to a wrong address', result.strays);
  report.note('duplicates after a kill between reply and commit', String(result.excused));
  report.note('max arrivals of one mail', String(result.mostArrivals));
  const inWindow = String(result.killsInWindow);
  // Without such a kill, the proof would not have covered the critical moment.
  report.bound('kills between a reply and its commit', inWindow, '> 0', result.killsInWindow > 0);
  report.note('time until the last mail arrived', `${result.drainSeconds.toFixed(1)} s`);
  report.print('Mail under kills');
}
