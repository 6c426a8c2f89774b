import { kmOfMetres, mapped, numberOf, sumOf, textOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { latestRows, offsetOfRow, startOf, type Row } from './rows.ts';

const epochSeconds = 900;

/**
 * Quarters of an hour, with a row for every kind of activity; their active times make up the quarter, but nothing says in which order. Kinds
 * of movement are added up and told from its beginning, time without movement at its end: so neither takes the place of the other, also
 * when they come in different pushes. Totals of the day come from the dailies, which win over these.
 */
export function mapEpochs(documents: Documents, told: Told): void {
  for (const rows of epochsOf(documents)) {
    const still = rows.filter(isStill);
    const moving = rows.filter((row) => !isStill(row));
    const seconds = Math.max(...rows.map((row) => numberOf(row['durationInSeconds']) ?? epochSeconds));
    const startMs = startOf(rows[0]!)!;
    const endMs = startMs + seconds * 1000;
    // Without active times, movement may have been at any time of it.
    const movedMs = (activeSeconds(moving) ?? seconds) * 1000;
    tell(moving, startMs, Math.min(startMs + movedMs, endMs), told);
    const stillMs = (activeSeconds(still) ?? 0) * 1000;
    if (stillMs > 0) tell(still, Math.max(startMs, endMs - stillMs), endMs, told);
  }
}

function tell(rows: readonly Row[], startMs: number, endMs: number, told: Told): void {
  const sum = (valueOf: (row: Row) => number | null) => sumOf(...rows.map(valueOf));
  const totals = {
    steps: sum((row) => numberOf(row['steps'])),
    distance: sum((row) => kmOfMetres(row['distanceInMeters'])),
    active_calories: sum((row) => numberOf(row['activeKilocalories'])),
    average_met: averageMet(rows),
  };
  const offset = mapped(rows[0] ?? null, offsetOfRow);
  for (const [metric, value] of Object.entries(totals))
    told.reading({ metric, startMs, endMs, value, offset });
}

function isStill(row: Row): boolean {
  return row['intensity'] === 'SEDENTARY';
}

/** Rows by their start; of each kind of activity the last that was sent. */
function epochsOf(documents: Documents): Row[][] {
  const rows = latestRows(documents, (row) => {
    const startMs = startOf(row);
    return startMs === null ? null : `${startMs} ${textOf(row['activityType']) ?? ''}`;
  });
  return [...Map.groupBy(rows, startOf).values()];
}

/** Null where nothing is known, or no time at all. */
function activeSeconds(rows: readonly Row[]): number | null {
  return sumOf(...rows.map((row) => numberOf(row['activeTimeInSeconds']))) || null;
}

/** By the time that each kind of activity took. */
function averageMet(rows: readonly Row[]): number | null {
  const parts = rows.flatMap((row) => {
    const [met, seconds] = [numberOf(row['met']), numberOf(row['activeTimeInSeconds'])];
    return met === null || seconds === null ? [] : [{ met, seconds }];
  });
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return seconds > 0 ? parts.reduce((sum, part) => sum + part.met * part.seconds, 0) / seconds : null;
}
