/**
 * Mail can be trusted: the process that sends it is killed over and over, and still every mail arrives, once. Only where the kill fell
 * between the mail server's answer and the commit does one arrive again, under the same Message-ID.
 */
import { parseArgs } from 'node:util';
import { chooseFaults, findFaults, limitRunTime, listFaults, progress, Report } from '@tributary/rig';
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

Sends invitations to a mail server over real SMTP, which takes its time to answer, while the process that sends them is killed: at random
moments, and right after an answer. Compares what arrived with what was to be sent.

  --short      60 mails and 8 kills instead of 300 and 50
  --seed       the same seed plans the same delays and kills
  --plant      puts a fault into a copy of the service; the run succeeds if the comparison finds it
  --plant-all  all of them, one after the other

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
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
    return { isFound: seen > 0, sign, inAll: `${seen} times` };
  });
else prove(await runMail(options));

function prove(result: MailResult): void {
  const report = new Report();
  const zero = (what: string, figure: number): void => report.bound(what, String(figure), '0', figure === 0);
  report.note('seed', seed);
  report.note('mails, kills of the process that sends them', `${options.mails}, ${options.kills}`);
  zero('mails that did not arrive', result.lost);
  zero('mails that the service does not count as sent', result.unsent);
  zero('mails that arrived again without a kill between answer and commit', result.repeated);
  zero('mails with another Message-ID than theirs', result.misnamed);
  zero('mails to somebody else', result.strays);
  report.note('mails that arrived again, after a kill between answer and commit', String(result.excused));
  report.note('most arrivals of one mail', String(result.mostArrivals));
  const inWindow = String(result.killsInWindow);
  // Without one the proof would not have looked where it matters.
  report.bound('kills that fell between an answer and its commit', inWindow, '> 0', result.killsInWindow > 0);
  report.note('until the last had arrived', `${result.drainSeconds.toFixed(1)} s`);
  report.print('Mail under kills');
}
