import { kmOfMetres, mapped, numberOf, sumOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { latestRows, offsetOfRow, startOf, type Row } from './rows.ts';

const epochSeconds = 900;

/**
 * 15-minute epochs with a row per activity type. Their active times add up to the epoch, in an unknown order. Movement is added up and placed at the
 * start, time without movement at the end. So neither replaces the other, even if they arrive in different pushes. Daily totals come from the
 * dailies, which take precedence over these.
 */
export function mapEpochs(documents: Documents, batch: BatchBuilder): void {
  for (const rows of epochsOf(documents)) {
    const still = rows.filter(isStill);
    const moving = rows.filter((row) => !isStill(row));
    const seconds = Math.max(...rows.map((row) => numberOf(row['durationInSeconds']) ?? epochSeconds));
    const startMs = startOf(rows[0]!)!;
    const endMs = startMs + seconds * 1000;
    // Without active times, movement may have happened at any time in the epoch.
    const movedMs = (activeSeconds(moving) ?? seconds) * 1000;
    addReadings(moving, startMs, Math.min(startMs + movedMs, endMs), batch);
    const stillMs = (activeSeconds(still) ?? 0) * 1000;
    if (stillMs > 0) addReadings(still, Math.max(startMs, endMs - stillMs), endMs, batch);
  }
}

function addReadings(rows: readonly Row[], startMs: number, endMs: number, batch: BatchBuilder): void {
  const sum = (valueOf: (row: Row) => number | null) => sumOf(...rows.map(valueOf));
  const totals = {
    steps: sum((row) => numberOf(row['steps'])),
    distance: sum((row) => kmOfMetres(row['distanceInMeters'])),
    active_calories: sum((row) => numberOf(row['activeKilocalories'])),
    average_met: averageMet(rows),
  };
  const offset = mapped(rows[0] ?? null, offsetOfRow);
  for (const [metric, value] of Object.entries(totals))
    batch.addReading({ metric, startMs, endMs, value, offset });
}

function isStill(row: Row): boolean {
  return row['intensity'] === 'SEDENTARY';
}

/** Rows by their start. For each activity type, the last row sent counts. */
function epochsOf(documents: Documents): Row[][] {
  const rows = latestRows(documents, (row) => {
    const startMs = startOf(row);
    return startMs === null ? null : `${startMs} ${textOf(row['activityType']) ?? ''}`;
  });
  return [...Map.groupBy(rows, startOf).values()];
}

/** Null if unknown or zero. */
function activeSeconds(rows: readonly Row[]): number | null {
  return sumOf(...rows.map((row) => numberOf(row['activeTimeInSeconds']))) || null;
}

/** By the time spent on each activity type. */
function averageMet(rows: readonly Row[]): number | null {
  const parts = rows.flatMap((row) => {
    const [met, seconds] = [numberOf(row['met']), numberOf(row['activeTimeInSeconds'])];
    return met === null || seconds === null ? [] : [{ met, seconds }];
  });
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return seconds > 0 ? parts.reduce((sum, part) => sum + part.met * part.seconds, 0) / seconds : null;
}
