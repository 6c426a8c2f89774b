import { openService, progress, Random, type Patch, type RunStack, startRunStack } from '@tributary/rig';
import { loadParts } from './service.ts';
import { tamperings } from './tamperings.ts';
import { createWorld, tables } from './world.ts';

export interface TamperingResult {
  entries: number;
  tamperingCount: number;
  kinds: number;
  /** Tamperings that verification did not detect. */
  missed: string[];
  /** Problems that verification reported in an untouched log. */
  falseAlarms: string[];
  seconds: number;
}

/** Builds three chains and tampers with them. Verifies after each tampering, and again after restoring the chain. */
export async function runTamperings(options: {
  seed: string;
  tamperings: number;
  patches?: readonly Patch[];
}): Promise<TamperingResult> {
  const startedAt = performance.now();
  const random = new Random(options.seed);
  await using service = await openService(options.patches);
  await using run = await startRunStack(['jobs'], { LOG_LEVEL: 'warn' }, { program: service.program });
  await using parts = await loadParts(service.program, run);
  const world = await createWorld(run, random.fork('world'));
  for (const node of run.stack.nodes) await node.stop();
  const falseAlarms: string[] = [];
  const missed: string[] = [];
  const checkClean = async (after: string): Promise<void> => {
    const { problems } = await parts.verify();
    if (problems.length > 0) falseAlarms.push(`after ${after}: ${problems[0]!.kind}`);
  };
  await checkClean('growing');
  const entries = await save(run);
  progress(`${entries} entries in three chains; tampering`);

  let performed = 0;
  const kinds = new Set<string>();
  // Cycle through all kinds, so that a short run also covers each of them.
  for (let round = 0; performed < options.tamperings; round += 1) {
    const { name, make } = tamperings[round % tamperings.length]!;
    await make({ admin: run.admin, parts, world, random: random.fork(round) });
    if (await isAsSaved(run)) continue; // nothing changed, for example because the two swapped texts are equal
    performed += 1;
    kinds.add(name);
    const { problemCount } = await parts.verify();
    if (problemCount === 0) missed.push(name);
    await restore(run);
    await checkClean(name);
    if (performed % 100 === 0)
      progress(`${performed} tamperings, ${missed.length} missed, ${falseAlarms.length} false alarms`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { entries, tamperingCount: performed, kinds: kinds.size, missed, falseAlarms, seconds };
}

/** Saves a copy of every table, and removes the constraints that would get in a superuser's way. */
async function save({ admin }: RunStack): Promise<number> {
  await admin.query('ALTER TABLE audit_log DISABLE TRIGGER append_only');
  await admin.query('ALTER TABLE audit_log DROP CONSTRAINT audit_log_pkey');
  await admin.query('DROP INDEX audit_log_by_id');
  await admin.query('ALTER TABLE audit_texts DROP CONSTRAINT audit_texts_pkey');
  for (const table of tables) await admin.query(`CREATE TABLE saved_${table} AS TABLE ${table}`);
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM audit_log');
  return rows[0]!.n;
}

async function isAsSaved({ admin }: RunStack): Promise<boolean> {
  for (const table of tables) {
    const { rows } = await admin.query<{ now: string; saved: string }>(
      `SELECT (SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t) AS now,
              (SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM saved_${table} t) AS saved`,
    );
    if (rows[0]!.now !== rows[0]!.saved) return false;
  }
  return true;
}

async function restore({ admin }: RunStack): Promise<void> {
  for (const table of tables) {
    await admin.query(`DELETE FROM ${table}`);
    await admin.query(`INSERT INTO ${table} SELECT * FROM saved_${table}`);
  }
}
