import { moveClocks, untilRead } from './clocks.ts';
import type { World } from './world.ts';

const hourMs = 3_600_000;
/** In this time, the limits replenish about as many calls as they allow in a burst. */
const leastMs = 15_000;
/** In this time, all limits except daily ones replenish about as many calls. */
const usefulMs = 4 * 60_000;
/** Number of consecutive checks without progress after which reading counts as stuck. */
const patience = 25;

/**
 * Lets connections that limits delayed continue in small time steps, as they would have done in the time that a large step skips. Makes at
 * most `mostMoves` moves. Other connections pause in the meantime, as they do in a large step.
 */
export async function catchUpALittle(world: World, mostMoves: number): Promise<void> {
  for (let moves = 0; moves < mostMoves; moves += 1) {
    await rest(world);
    const { waitMs } = await readProgress(world);
    if (waitMs === null || waitMs > usefulMs) break;
    await moveClocks(world, world.lab.clock.now() + usefulMs);
    await untilRead(world);
  }
  await world.run.admin.query(
    'UPDATE connections SET due_at = coalesce(poll_at, tributary_now()) WHERE tokens IS NOT NULL AND due_at IS NULL',
  );
}

/**
 * Lets all connections finish while the lab sends no pushes. Connections with nothing left to read pause in the meantime, since polling for
 * new data would take most of the time. Returns the connections that did not finish.
 */
export async function catchUp(world: World): Promise<string[]> {
  const silence = world.lab.faults.on({ kind: 'push_silent', rate: 1 });
  let idle = 0;
  await rest(world);
  let { unfinished, left, waitMs } = await readProgress(world);
  while (unfinished.length > 0 && idle < patience) {
    const moveMs = waitMs === null ? hourMs : Math.max(leastMs, Math.ceil(waitMs));
    await moveClocks(world, world.lab.clock.now() + moveMs);
    await untilRead(world);
    await rest(world);
    const before = left;
    ({ unfinished, left, waitMs } = await readProgress(world));
    idle = left === before ? idle + 1 : 0;
  }
  world.lab.faults.off(silence.id);
  return unfinished;
}

/** Makes all paused connections due. */
export async function pollAgain(world: World): Promise<void> {
  await world.run.admin.query(
    'UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE tokens IS NOT NULL AND due_at IS NULL',
  );
  await untilRead(world);
}

/** Connections with remaining history, without a successful first sync, with a failure, or with unprocessed pushes. */
const isUnfinished = `(history_due_at IS NOT NULL OR (due_at IS NOT NULL AND (deep_at IS NULL OR coalesce(failure, '') IN ('limited', 'unavailable')))
  OR device_id IN (SELECT device_id FROM sync_notices))`;

/** Pauses finished connections. No sync may be running when this is called. */
async function rest({ run }: World): Promise<void> {
  await run.admin.query(
    `UPDATE connections SET due_at = NULL WHERE due_at IS NOT NULL AND NOT ${isUnfinished}`,
  );
}

interface Left {
  unfinished: string[];
  /** Changes while there is progress. */
  left: string;
  /** Time until the first delayed connection may continue. */
  waitMs: number | null;
}

async function readProgress({ run }: World): Promise<Left> {
  const { rows } = await run.admin.query<Left>(
    `SELECT coalesce(array_agg(concat_ws(' ', provider, extract(day FROM history_to - history_from) || ' days left,', failure))
         FILTER (WHERE ${isUnfinished}), '{}') AS unfinished,
       concat_ws(' ', count(*) FILTER (WHERE ${isUnfinished}), sum(history_days), sum(cardinality(history_streams)), sum(length(poll_streams::text)),
         sum(extract(epoch FROM history_to - history_from)) FILTER (WHERE history_due_at IS NOT NULL),
         (SELECT count(*) FROM sync_notices)) AS left,
       extract(epoch FROM min(least(history_due_at, CASE WHEN failure IN ('limited', 'unavailable') THEN due_at END)) - tributary_now())::float8
         * 1000 AS "waitMs"
     FROM connections`,
  );
  return rows[0]!;
}
