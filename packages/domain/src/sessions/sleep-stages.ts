import { minuteMs } from '../durations.ts';
import type { Span } from '../spans.ts';

/** A span of one sleep stage. `asleep` is sleep that the device does not stage. */
export interface StageSpan extends Span {
  readonly stage: 'awake' | 'light' | 'deep' | 'rem' | 'asleep' | 'in_bed';
}

/** A night in two layers, because time in bed overlaps sleep. */
export interface PaintedStages {
  readonly bed: readonly StageSpan[];
  /** All stages except time in bed, sorted and without overlap. */
  readonly painted: readonly StageSpan[];
}

/** Removes overlap between stages: the one listed later wins. */
export function paintStages(stages: readonly StageSpan[]): PaintedStages {
  const bed: StageSpan[] = [];
  let painted: StageSpan[] = [];
  let latestMs = -Infinity;
  for (const stage of stages) {
    if (stage.endMs <= stage.startMs) continue;
    if (stage.stage === 'in_bed') {
      bed.push(stage);
      continue;
    }
    if (stage.startMs < latestMs) painted = painted.flatMap((piece) => without(piece, stage));
    painted.push(stage);
    latestMs = Math.max(latestMs, stage.endMs);
  }
  return { bed, painted: painted.sort((a, b) => a.startMs - b.startMs) };
}

export function isSleep({ stage }: StageSpan): boolean {
  return stage === 'light' || stage === 'deep' || stage === 'rem' || stage === 'asleep';
}

export function totalMinutes(pieces: readonly Span[]): number {
  return pieces.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0) / minuteMs;
}

function without(piece: StageSpan, { startMs, endMs }: Span): StageSpan[] {
  const before = { ...piece, endMs: Math.min(piece.endMs, startMs) };
  const after = { ...piece, startMs: Math.max(piece.startMs, endMs) };
  return [before, after].filter((rest) => rest.endMs > rest.startMs);
}
