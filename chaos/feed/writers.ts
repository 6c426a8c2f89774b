import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedTenant, Ledger, Random, RunStack } from '@tributary/rig';
import { writeTransaction, type PlannedTransaction } from './write-transaction.ts';

const mostPauseMs = 50;
const rolledBackPart = 0.1;

export interface WritersOptions {
  writers: number;
  /** Events per second of all writers together. */
  perSecond: number;
  random: Random;
}

/** Runs writers until aborted. Each writes one transaction after another. */
export async function runWriters(
  pool: RunStack['admin'],
  ledger: Ledger,
  tenants: readonly FeedTenant[],
  { writers, perSecond, random }: WritersOptions,
  until: AbortSignal,
): Promise<void> {
  const eventMs = (1000 * writers) / perSecond;
  const write = async (writer: number): Promise<void> => {
    const own = random.fork(writer);
    const session = await pool.connect();
    try {
      let dueAt = performance.now() + own.int(0, 1000);
      while (!until.aborted) {
        await sleep(Math.max(0, dueAt - performance.now()));
        const planned = planTransaction(own, writer, tenants.length);
        // After a stall of the machine, do not catch up in a burst.
        dueAt = Math.max(dueAt, performance.now() - 1000) + planned.tenants.length * eventMs;
        await writeTransaction(session, ledger, tenants, planned);
      }
    } finally {
      session.release();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

/** Plans small and large transactions. Most are for one tenant, as the service writes them, and some are for several. */
function planTransaction(random: Random, writer: number, tenants: number): PlannedTransaction {
  const size = random.chance(0.5) ? random.int(1, 5) : random.int(1, 50);
  const isMixed = random.chance(0.2);
  const one = random.int(0, tenants - 1);
  return {
    writer,
    tenants: Array.from({ length: size }, () => (isMixed ? random.int(0, tenants - 1) : one)),
    pauseMs: random.int(0, mostPauseMs),
    rollsBack: random.chance(rolledBackPart),
  };
}
