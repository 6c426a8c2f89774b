import type { Score, ScoreType } from './score.ts';
import { bandOf, scoreScales } from './score-scales.ts';

/** What is shown of a score, what the data give, and what is lacking where they give none. */
export interface ScoreStanding {
  readonly type: ScoreType;
  /** What people call it. */
  readonly name: string;
  readonly shown: Score | null;
  readonly current: number | null;
  readonly upToDate: boolean;
  /** Whether data of the day changed since it was scored. */
  readonly waiting: boolean;
  readonly lacking: string | null;
}

/** Says in one sentence why a score is what it is. */
export function sentenceOf(standing: ScoreStanding): string {
  const { type, name, shown, current, upToDate, waiting, lacking } = standing;
  if (waiting && !shown) return `${name} has no value yet: data of the day wait to be scored.`;
  if (!shown && current === null) return `${name} has no value: ${lacking!}.`;
  if (!shown) return `${name} is worked out as ${current!.toFixed(1)} and not shown yet.`;
  const told = `${name} is ${shown.value.toFixed(1)} (${bandOf(type, shown.value)}): ${movesOf(type, shown)}`;
  if (upToDate) return `${told}.`;
  if (waiting) return `${told}; newer data of the day wait to be scored.`;
  if (current === null) return `${told}; the data give none any more: ${lacking!}.`;
  return `${told}; the data now give ${current.toFixed(1)}, to be shown when the score may change again.`;
}

function movesOf(type: ScoreType, { factors }: Score): string {
  const { neutral } = scoreScales[type];
  const moves = factors
    .filter(({ direction }) => direction !== 'neutral')
    .map(
      ({ name, contribution }) =>
        `${inWords(name)} ${contribution > 0 ? 'adds' : 'takes'} ${Math.abs(contribution).toFixed(1)}`,
    );
  if (neutral === 0) return moves.length === 0 ? 'nothing counted' : listOf(moves);
  return moves.length === 0
    ? `nothing moved it far from the neutral ${neutral}`
    : `from the neutral ${neutral}, ${listOf(moves)}`;
}

/** A factor as people call it: `hrv_today` is HRV today. */
function inWords(factor: string): string {
  return factor.replaceAll('_', ' ').replace(/\bhrv\b/, 'HRV');
}

function listOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
