import { capitalize, listWords } from '../../explain/words.ts';
import type { Confidence, Factor, Score, ScoreType } from '../score.ts';
import { bandOf, scoreScales } from './score-scales.ts';

/** The published score, the score that the current data gives, and what is missing if it gives none. */
export interface ScoreStatus {
  readonly type: ScoreType;
  /** The display name. */
  readonly name: string;
  readonly shown: (Score & { readonly confidence?: Confidence }) | null;
  readonly current: number | null;
  readonly upToDate: boolean;
  /** Whether data of the day changed since it was scored. */
  readonly waiting: boolean;
  readonly lacking: string | null;
}

/** Explains in a few sentences why a score has its value. */
export function sentenceOf(status: ScoreStatus): string {
  const { type, name, shown, current, upToDate, waiting, lacking } = status;
  if (waiting && !shown) return `${name} has no value yet. Data for this date is waiting to be scored.`;
  if (!shown && current === null) return `${name} has no value: ${lacking!}.`;
  if (!shown) return `${name} is computed as ${current!.toFixed(1)} but not published yet.`;
  const value = `${name} is ${shown.value.toFixed(1)} (${bandOf(type, shown.value)}). ${movesOf(type, shown)}${doubtOf(shown)}`;
  if (upToDate) return value;
  if (waiting) return `${value} Newer data for this date is waiting to be scored.`;
  if (current === null) return `${value} The current data no longer gives a score: ${lacking!}.`;
  return `${value} The current data gives ${current.toFixed(1)}, which is published when the score may change again.`;
}

function doubtOf({ confidence }: { confidence?: Confidence }): string {
  return confidence === 'low' ? ' Confidence is low, because only the time asleep is known.' : '';
}

function movesOf(type: ScoreType, { factors }: Score): string {
  const { neutral } = scoreScales[type];
  // Good nutrients must not make a day of too little food sound like a success.
  if (factors.some(isHunger)) return 'Less energy was logged than the body needs, which limits the score.';
  const moves = factors
    .filter(({ direction }) => direction !== 'neutral')
    .map(
      ({ name, contribution }) =>
        `${inWords(name)} ${contribution > 0 ? 'adds' : 'subtracts'} ${Math.abs(contribution).toFixed(1)}`,
    );
  if (neutral === 0)
    return moves.length === 0
      ? 'No factor contributed half a point or more.'
      : `${capitalize(listWords(moves))}.`;
  return moves.length === 0
    ? `No factor moved it half a point or more from the neutral ${neutral}.`
    : `Starting from the neutral ${neutral}, ${listWords(moves)}.`;
}

/** Names of factors that are not clear as they are. */
const factorWords: Readonly<Record<string, string>> = {
  hrv_today: "the day's HRV",
  hrv_trend: 'HRV trend',
  carried_over: 'reserve carried over',
  duration_limit: 'the limit for short sleep',
  resting_heart_rate_limit: 'the limit for an unusually high resting heart rate',
  hrv_limit: 'the limit for unusually low HRV',
  too_much_energy: 'the limit for too much energy',
};

function isHunger({ name }: Factor): boolean {
  return name === 'too_little_energy';
}

/** A factor inside a sentence: `load_balance` is load balance. */
function inWords(factor: string): string {
  return factorWords[factor] ?? factor.replaceAll('_', ' ');
}
