import { setTimeout as sleep } from 'node:timers/promises';
import { openService, progress, Random, type Patch, type RunStack, startRunStack } from '@tributary/rig';
import { createIdSource, parseId, systemClock } from '@tributary/server/testing/ids';
import {
  createLog,
  type JobQueue,
  openJobQueue,
  plantInvitation,
  plantMail,
} from '@tributary/server/testing/service';
import { inTransaction, type Tenant } from '@tributary/server/testing/database';
import { freePort, type StackNode, startMailCatcher } from '@tributary/stack';
import { Arrivals } from './arrivals.ts';

/** How long a kill waits for the reply that it should coincide with. */
const mostWaitMs = 3_000;

export interface MailOptions {
  seed: string;
  mails: number;
  kills: number;
  /** Maximum reply time of the mail server. */
  mostDelayMs: number;
  /** How long to wait for the last mails to arrive. */
  mostDrainMs: number;
  patches?: readonly Patch[];
}

export interface MailResult {
  lost: number;
  unsent: number;
  repeated: number;
  excused: number;
  misnamed: number;
  strays: number;
  mostArrivals: number;
  killsInWindow: number;
  drainSeconds: number;
}

interface Scene {
  run: RunStack;
  options: MailOptions;
  arrivals: Arrivals;
  jobs: JobQueue;
  tenant: Tenant;
  /** Resolves when the mail server next replies, or on timeout. Calls `before` just before the reply is sent. */
  nextReply: (before: () => void) => Promise<void>;
}

/** Sends mails while killing the process that sends them, and compares the received mails with the expected ones. */
export async function runMail(options: MailOptions): Promise<MailResult> {
  const random = new Random(options.seed);
  const delays = random.fork('delays');
  const arrivals = new Arrivals();
  let onReply: (() => void) | undefined;
  await using catcher = await startMailCatcher({
    smtpPort: await freePort(),
    httpPort: await freePort(),
    beforeReply: () => sleep(delays.int(0, options.mostDelayMs)),
    onMessage({ recipients, messageId }) {
      arrivals.arrive(recipients[0]!, messageId);
      onReply?.();
    },
  });
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['api', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program, existing: { smtpUrl: catcher.smtpUrl } },
  );
  const log = createLog({ log: { level: 'warn' }, nodeName: 'proof' }, 'proof');
  await using jobs = await openJobQueue(run.admin, log);
  const accountId = parseId('acc', run.stack.info.account_id)!;
  const awaitReply = async (before: () => void) => {
    const coming = new Promise<void>((resolve) => {
      onReply = () => {
        before();
        resolve();
      };
    });
    await Promise.race([coming, sleep(mostWaitMs)]);
    onReply = undefined;
  };
  const scene: Scene = {
    run,
    options,
    arrivals,
    jobs,
    tenant: { accountId, environment: 'live' },
    nextReply: awaitReply,
  };

  const killsInWindow = await killWhileSending(scene, random.fork('kills'));
  progress('no more kills');
  const drainSeconds = await drain(scene);
  const { lost, repeated, excused, misnamed, strays, mostArrivals } = arrivals;
  const unsent = (await listMails(run, `status <> 'sent'`)).length;
  const cancelled = await listMails(run, `status = 'cancelled'`);
  if (cancelled.length > 0)
    throw new Error(`${cancelled.length} mails were cancelled, so they prove nothing.`);
  return { lost, unsent, repeated, excused, misnamed, strays, mostArrivals, killsInWindow, drainSeconds };
}

/** Returns how many kills fell between a reply and its commit. */
async function killWhileSending(scene: Scene, random: Random): Promise<number> {
  const { run, options, arrivals } = scene;
  const { mails, kills } = options;
  const victim = run.stack.nodes.find(({ role }) => role === 'jobs')!;
  let invitedCount = 0;
  let inWindow = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    for (; invitedCount < (mails * kill) / kills; invitedCount += 1) await invite(scene);
    await killAtMoment(scene, victim, random, kill);
    await untilDisconnected(run, victim);
    if (arrivals.excuse(await listMails(run, `status = 'waiting'`)) > 0) inWindow += 1;
    await victim.start();
    if (kill % 10 === 0) progress(`${kill} kills, ${inWindow} of them between a reply and its commit`);
  }
  return inWindow;
}

/** Half of the kills come at any moment, a quarter within milliseconds of a mail server's reply, and a quarter at the reply, before any commit. */
async function killAtMoment(
  { nextReply }: Scene,
  victim: StackNode,
  random: Random,
  kill: number,
): Promise<void> {
  const strike = () => {
    if (victim.pid !== undefined) victim.signal('SIGKILL');
  };
  const isAtReply = kill % 4 === 1;
  if (kill % 2 === 0) await sleep(random.int(0, 1_000));
  else await nextReply(isAtReply ? strike : () => {});
  if (!isAtReply) await sleep(random.int(0, 3));
  strike();
}

async function invite({ run, jobs, tenant, arrivals }: Scene): Promise<void> {
  const newId = createIdSource(systemClock);
  const invitation = await plantInvitation(run.admin, tenant);
  await inTransaction(run.admin, async (tx) => {
    const mailId = await plantMail({ jobs, newId }, tx, tenant, { invitation });
    arrivals.expect(invitation.email, mailId);
  });
}

/** Queries that a killed process had sent may still be running in the database. */
async function untilDisconnected({ admin }: RunStack, { name }: StackNode): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query({
      text: 'SELECT FROM pg_stat_activity WHERE application_name = $1',
      values: [`tributary-${name}`],
    });
    if (rowCount === 0) return;
    await sleep(10);
  }
}

async function listMails({ admin }: RunStack, which: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(`SELECT id FROM mails WHERE ${which}`);
  return rows.map(({ id }) => id);
}

async function drain({ run, options }: Scene): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < options.mostDrainMs) {
    if ((await listMails(run, `status = 'waiting'`)).length === 0) break;
    await sleep(100);
  }
  return (performance.now() - startedAt) / 1000;
}
