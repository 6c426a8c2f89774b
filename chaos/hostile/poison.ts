import { setTimeout as sleep } from 'node:timers/promises';
import { progress, type Report, type RunAccount, type RunStack, startRunStack } from '@tributary/rig';
import { Bystanders, reportBystanders } from './bystanders.ts';
import { Attackers } from './poison/attackers.ts';
import { breakSessionsOf, insertOldUploads } from './poison/old-uploads.ts';
import { plants } from './poison/plants.ts';
import { watchDatabase } from './poison/watch-database.ts';
import { watchEventLoop } from './poison/watch-event-loop.ts';
import type { Scenario, Setup } from './scenario.ts';

interface Force {
  calmMs: number;
  /** Uploads with one value a day over 54 years, accepted before the limit of days. */
  oldUploads: number;
  uploads: number;
  attackers: number;
  patienceMs: number;
}

const full: Force = { calmMs: 20_000, oldUploads: 30, uploads: 200, attackers: 5, patienceMs: 20 * 60_000 };
const short: Force = { calmMs: 4_000, oldUploads: 1, uploads: 6, attackers: 2, patienceMs: 90_000 };

/** Uploads that are small in bytes and large in work. */
export const poison: Scenario = {
  name: 'poison',
  title: 'Uploads that are small in bytes and large in work',
  run,
  plants,
};

async function run({ program, isShort, random, report }: Setup): Promise<void> {
  const force = isShort ? short : full;
  await using running = await startRunStack(['all'], { LOG_LEVEL: 'warn' }, { program });
  const { live_key: key } = await running.tributary<RunAccount>('account', 'create', '--name', 'Attacker');
  const attackers = await Attackers.create(running, key, force.attackers);
  using bystanders = await Bystanders.create(running);
  const calm = await bystanders.observe(() => sleep(force.calmMs));

  const database = await watchDatabase(running);
  const eventLoop = watchEventLoop(running.api[0]!);
  let refused = 0;
  let isProcessed = false;
  const attacked = await bystanders.observe(async () => {
    refused = await attackers.uploadTooManyDays(3);
    await insertOldUploads(running, attackers.first, force.oldUploads);
    progress('uploading');
    await attackers.upload(force.uploads, random, isShort);
    progress('waiting until all uploads are processed');
    isProcessed = await waitUntilProcessed(running, force.patienceMs);
  });
  const { longestTransactionMs, lostSessions } = await database.stop();
  const longestBlockMs = await eventLoop.stop();

  report.bound('uploads of too many days that get 400', `${refused} of 3`, '3', refused === 3);
  report.bound('uploads processed or set aside', await describeReceipts(running), 'all', isProcessed);
  report.bound('lost database sessions', String(lostSessions), '0', lostSessions === 0);
  reportTimes(report, isShort, { longestTransactionMs, longestBlockMs });
  reportBystanders(
    report,
    calm,
    attacked,
    isShort ? { ratio: 100, healthMs: 5_000 } : { ratio: 1.2, healthMs: 100 },
  );
  await isolate(running, attackers, report);
}

function reportTimes(
  report: Report,
  isShort: boolean,
  { longestTransactionMs, longestBlockMs }: { longestTransactionMs: number; longestBlockMs: number },
): void {
  const most = isShort ? { transactionMs: 5_000, blockMs: 1_000 } : { transactionMs: 2_000, blockMs: 50 };
  report.bound(
    'longest transaction',
    `${longestTransactionMs.toFixed(0)} ms`,
    `≤ ${most.transactionMs} ms`,
    longestTransactionMs <= most.transactionMs,
  );
  report.bound(
    'longest block of the event loop that serves requests',
    `${longestBlockMs.toFixed(0)} ms`,
    `≤ ${most.blockMs} ms`,
    longestBlockMs <= most.blockMs,
  );
}

/** A batch whose work ends its database session is set aside. The others that were taken with it are processed. */
async function isolate(running: RunStack, attackers: Attackers, report: Report): Promise<void> {
  await using _broken = await breakSessionsOf(running, attackers.victim);
  await Promise.all([attackers.uploadOne(attackers.victim), attackers.uploadOne(attackers.first)]);
  // The first attempts take most of the time, and only their count matters.
  await sleep(1_500);
  await running.admin.query({
    text: 'UPDATE pending_batches SET attempts = attempts + 4 WHERE attempts > 0',
  });
  const isProcessed = await waitUntilProcessed(running, 40_000, attackers.victim.uuid);
  const { rows } = await running.admin.query<{ reason: string }>({
    text: 'SELECT reason FROM dead_letters WHERE user_id = $1',
    values: [attackers.victim.uuid],
  });
  const reasons = rows.map(({ reason }) => reason).join(', ');
  report.bound(
    'a batch whose work ends its database session',
    isProcessed ? `set aside: ${reasons}` : 'still pending',
    'set aside',
    isProcessed && reasons === 'SessionLostError',
  );
}

/** Waits for the uploads of all attackers, or of one. */
async function waitUntilProcessed(
  { admin }: RunStack,
  patienceMs: number,
  userId: string | null = null,
): Promise<boolean> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const { rows } = await admin.query<{ isPending: boolean }>({
      text: `SELECT EXISTS (SELECT FROM pending_batches p JOIN users u ON u.id = p.user_id
             WHERE u.reference_id LIKE 'poison-%' AND ($1::uuid IS NULL OR u.id = $1)) AS "isPending"`,
      values: [userId],
    });
    if (!rows[0]!.isPending) return true;
    await sleep(250);
  }
  return false;
}

async function describeReceipts({ admin }: RunStack): Promise<string> {
  const { rows } = await admin.query<{ state: string; count: number }>({
    text: `SELECT coalesce(d.reason, CASE WHEN r.user_id IS NULL THEN 'pending' ELSE 'processed' END) AS state, count(*)::int4 AS count
           FROM raw_batches b JOIN users u ON u.id = b.user_id AND u.reference_id LIKE 'poison-%'
           LEFT JOIN receipts r ON r.user_id = b.user_id AND r.batch_id = b.batch_id
           LEFT JOIN dead_letters d ON d.user_id = b.user_id AND d.batch_id = b.batch_id
           GROUP BY 1 ORDER BY 1`,
  });
  return rows.map(({ state, count }) => `${count} ${state}`).join(', ');
}
