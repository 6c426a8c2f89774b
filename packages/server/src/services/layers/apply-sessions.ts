import type { MergeCounts } from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { readSessionsByKey, writeSessions, type SessionRow } from '../../store/layers/device-sessions.ts';
import type { PlacedBatch } from './apply-records.ts';
import { decideAll, decideAround, type SessionEffect } from './decide-sessions.ts';
import type { SessionRules } from './session-rules.ts';
import { sleepRules } from './sleep-rules.ts';
import type { UserState } from './user-state.ts';
import { workoutRules } from './workout-rules.ts';

type Placed = PlacedBatch & { counts: MergeCounts };

/** Applies sleep sessions and workouts to the layers, and returns their effects on the affected days. */
export async function applySessions(tx: Queryable, batches: readonly Placed[]): Promise<SessionEffect[]> {
  const effects: SessionEffect[] = [];
  for (const state of new Set(batches.map((batch) => batch.state))) {
    const own = batches.filter((batch) => batch.state === state);
    effects.push(
      ...(await applyKind(tx, state, own, sleepRules)),
      ...(await applyKind(tx, state, own, workoutRules)),
    );
  }
  return effects;
}

async function applyKind<Reading extends { id: string; startMs: number; endMs: number }, Content>(
  tx: Queryable,
  state: UserState,
  batches: readonly Placed[],
  rules: SessionRules<Reading, Content>,
): Promise<SessionEffect[]> {
  const incoming = batches.flatMap((batch) => {
    const { batchId, createdMs, counts } = batch;
    const key = (sourceId: string) => ({ deviceNo: batch.device.deviceNo, sourceId, batchId, createdMs });
    const deleted = batch.read.deletions.filter(({ kind }) => kind === rules.kind);
    return [
      ...rules.readingsOf(batch.read).map((reading) => ({
        counts,
        row: { ...key(reading.id), span: spanOf(reading), content: rules.contentOf(reading) },
      })),
      ...deleted.map(({ id }) => ({ counts, row: { ...key(id), span: null, content: null } })),
    ];
  });
  if (incoming.length === 0) return state.ranksChanged ? decideAll(tx, state, rules) : [];

  const { userId } = state.user;
  const rows = new Map<string, SessionRow<Content>>();
  const stored = await readSessionsByKey<Content>(
    tx,
    rules.kind,
    userId,
    incoming.map(({ row }) => row),
  );
  for (const row of stored) rows.set(keyOf(row), row);
  const touched = stored.flatMap(({ span }) => span ?? []);
  for (const { row, counts } of incoming) {
    const before = rows.get(keyOf(row));
    count(counts, before, row);
    if (before && !isLater(row, before)) continue;
    rows.set(keyOf(row), row);
    if (row.span) touched.push(row.span);
  }
  await writeSessions(tx, rules.kind, userId, [...rows.values()]);
  if (state.ranksChanged) return decideAll(tx, state, rules, touched, [...rows.values()]);
  if (touched.length === 0) return [];
  return decideAround(tx, state, rules, touched, [...rows.values()]);
}

function keyOf({ deviceNo, sourceId }: { deviceNo: number; sourceId: string }): string {
  return `${deviceNo}/${sourceId}`;
}

function spanOf({ startMs, endMs }: { startMs: number; endMs: number }) {
  return { startMs, endMs };
}

/** Within one batch, the last one listed wins. */
function isLater(row: SessionRow, before: SessionRow): boolean {
  if (row.createdMs !== before.createdMs) return row.createdMs > before.createdMs;
  return row.batchId >= before.batchId;
}

function count(counts: MergeCounts, before: SessionRow | undefined, row: SessionRow): void {
  const replaces = !before || isLater(row, before);
  if (!row.span) counts.deleted += replaces && before?.span ? 1 : 0;
  else if (!before) counts.new += 1;
  else if (replaces && !sameSession(before, row)) counts.updated += 1;
  else counts.duplicate += 1;
}

function sameSession(a: SessionRow, b: SessionRow): boolean {
  return (
    a.span?.startMs === b.span?.startMs &&
    a.span?.endMs === b.span?.endMs &&
    JSON.stringify(a.content) === JSON.stringify(b.content)
  );
}
