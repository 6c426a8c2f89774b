import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Slightly longer than the interval at which processes read the moved clock. */
const followMs = 130;
/** A shared machine may stall for minutes. */
const patienceMs = 900_000;
/** The service rejects data from more than a day ahead. */
const longestMs = 20 * 3_600_000;
/**
 * The maximum lag of the lab's clock, which stands still while the service's clock runs. The lab counts a minute's calls by its clock, and
 * the service spaces them by its own.
 */
const longestLagMs = 500;

type Clocks = Pick<World, 'run' | 'lab' | 'pushes'>;

/** Seconds spent in a run, by what it waited for. */
export const spent = new Map<string, number>();

/** Runs a task and adds its duration to `spent`. */
export async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    spent.set(what, (spent.get(what) ?? 0) + (performance.now() - startedAt) / 1000);
  }
}

/**
 * Moves the lab first, so that the data of every push exists, and then the service. No sync run may start in between: a process with the
 * old time would order new data before data that was read earlier. No sync may be running when this is called.
 */
export async function moveClocks(world: Clocks, toMs: number, { hasWorkers = true } = {}): Promise<void> {
  const { run, lab } = world;
  const { admin } = run;
  const allow = (status: 'active' | 'suspended') =>
    admin.query({ text: 'UPDATE accounts SET status = $1', values: [status] });
  await allow('suspended');
  for (let isThere = false; !isThere;) {
    // The lab's clock stands still while the service's clock runs, and the service's clock must never go back.
    const nextMs = Math.max(Math.min(toMs, lab.clock.now() + longestMs), (await serviceNow(admin)) + 1_000);
    await timed('lab', () => moveLab(world, nextMs));
    if (hasWorkers)
      await timed('pushes', () =>
        untilNone(world, '(SELECT count(*) FROM provider_pushes)', 'pushes are not processed'),
      );
    await timed('clocks', async () => {
      await setServiceClock(world);
      await sleep(followMs);
    });
    isThere = nextMs >= toMs;
  }
  await allow('active');
}

/** Sets the service's clock to the lab's. */
export async function setServiceClock({ run, lab }: Clocks): Promise<void> {
  await run.admin.query({
    text: `INSERT INTO clock_offset (offset_ms) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET offset_ms = $1`,
    values: [lab.clock.now() - Date.now()],
  });
}

/** Runs a long task while the lab's clock follows the service's. */
export async function whileLabFollows(world: Clocks, work: () => Promise<void>): Promise<void> {
  const done = work().then(() => true);
  do await follow(world, await serviceNow(world.run.admin));
  while (!(await Promise.race([done, sleep(100, false)])));
}

async function follow(world: Clocks, serviceMs: number): Promise<void> {
  if (serviceMs - world.lab.clock.now() > longestLagMs) await moveLab(world, serviceMs);
}

async function moveLab({ lab, pushes }: Clocks, toMs: number): Promise<void> {
  await lab.clock.moveTo(toMs);
  pushes.collect(lab);
}

const nowMs = 'ceil(extract(epoch FROM tributary_now()) * 1000)::float8';

async function serviceNow(admin: World['run']['admin']): Promise<number> {
  const { rows } = await admin.query<{ ms: number }>(`SELECT ${nowMs} AS ms`);
  return rows[0]!.ms;
}

const due = `(SELECT count(*) FROM connections c JOIN users u ON u.id = c.user_id
    WHERE c.due_at <= tributary_now() OR c.history_due_at <= tributary_now())
  + (SELECT count(*) FROM provider_pushes)`;

/** Waits until no connection is due. */
export function untilRead(world: World): Promise<void> {
  return timed('reading', () => untilNone(world, due, 'connections are still due'));
}

/** Waits until the data that was read is also consolidated. */
export async function untilConsolidated(world: World): Promise<void> {
  await untilRead(world);
  await untilNone(
    world,
    `(SELECT count(*) FROM pending_batches) + (SELECT count(*) FROM pgboss.job
       WHERE state < 'completed' AND name IN ('recut-user', 'reconsolidate-user'))`,
    'batches are still pending',
  );
}

/** Waits until the count is 0. Throws if it has not decreased for `patienceMs`. */
async function untilNone(world: Clocks, count: string, failed: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let fellAt = performance.now();
  for (;;) {
    const { rows } = await world.run.admin.query<{ left: number; ms: number }>(
      `SELECT ${count} AS left, ${nowMs} AS ms`,
    );
    const { left, ms } = rows[0]!;
    if (left === 0) return;
    await follow(world, ms);
    if (left < least) {
      least = left;
      fellAt = performance.now();
    }
    if (performance.now() - fellAt > patienceMs)
      throw new Error(`${failed}: ${left}, unchanged for ${patienceMs / 1000} s`);
    await sleep(30);
  }
}
