import type { Fields } from '../mapping/read.ts';
import type { SleepInput } from '../mapping/batch-builder.ts';

type Stages = NonNullable<SleepInput['stages']>;

const stageOfDigit = new Map<string, Stages[number]['stage']>([
  ['1', 'deep'],
  ['2', 'light'],
  ['3', 'rem'],
  ['4', 'awake'],
]);

/** The stages of a sleep from its start, in 30-second steps if available, otherwise in five-minute steps. */
export function readPhases(sleep: Fields, startMs: number): Stages {
  const fine = sleep['sleep_phase_30_sec'];
  if (typeof fine === 'string' && fine !== '') return stagesOf(fine, startMs, 30_000);
  const coarse = sleep['sleep_phase_5_min'];
  return typeof coarse === 'string' ? stagesOf(coarse, startMs, 300_000) : [];
}

/** One stage for each run of the same digit. An unknown digit is a gap. */
function stagesOf(digits: string, startMs: number, stepMs: number): Stages {
  return [...digits.matchAll(/(.)\1*/g)].flatMap(({ 0: run, 1: digit = '', index }) => {
    const stage = stageOfDigit.get(digit);
    const fromMs = startMs + index * stepMs;
    return stage === undefined ? [] : [{ stage, startMs: fromMs, endMs: fromMs + run.length * stepMs }];
  });
}
