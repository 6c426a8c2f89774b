import { countReadings, hasHrvNorm, hasRestingNorm, type RecipeInputs } from './recipe-parts.ts';
import { lnOf } from './baseline.ts';
import type { RecoveryInput } from './recovery.ts';
import type { ScoreType } from './score.ts';

type Other = Readonly<Record<string, unknown>>;
type Heart = Pick<RecoveryInput, 'hrv' | 'hrvHistory' | 'restingHeartRate' | 'restingHeartRateHistory'>;

const noNight = 'no main sleep ends on this date';

const reasons: { readonly [Type in ScoreType]: (input: RecipeInputs[Type], other: Other) => string } = {
  recovery_score: (input) => {
    if (!hasHrvNorm(input) && !hasRestingNorm(input)) return lackOfHeart(input);
    return hasHrvNorm(input)
      ? 'heart rate variability alone is too little: it takes resting heart rate, sleep or four days of training load besides'
      : 'resting heart rate alone is too little: it takes sleep besides, or heart rate variability';
  },
  strain_score: (_input, { heart_rate_coverage_minutes: covered, workouts, weight }) =>
    `of 600 minutes of heart rate there are ${Math.floor(Number(covered))}, ` +
    `${workouts === 0 ? 'there is no workout' : 'no workout tells how hard it was'}, and ` +
    (weight === null ? 'for active calories no weight is known' : 'there are no active calories'),
  sleep_score: (_input, { main_sleep: isNight }) => (isNight ? 'the time asleep is not known' : noNight),
  stress_score: (input) => {
    const epochs = input.epochBaseline
      ? `of 36 epochs awake at rest there are ${input.epochs.length}`
      : 'fewer than 3 of the 14 days before have epochs awake at rest';
    return `${epochs}, and ${lackOfHeart(input)}`;
  },
  nutrition_score: ({ dietaryEnergyKcal: eaten, restingEnergyKcal }) => {
    if (eaten === null) return 'no food was logged';
    const needed = Math.max(500, 0.5 * (restingEnergyKcal ?? 0));
    if (eaten < needed)
      return `${Math.floor(eaten)} kcal were logged, which is part of a day: it takes ${Math.ceil(needed)}`;
    return 'too few nutrients were logged: it takes 3 of them, with half of the weight';
  },
  energy_reserve_score: ({ hoursAwake }) => (hoursAwake === null ? noNight : 'the time asleep is not known'),
};

/** Says what is lacking for a score, as the end of a sentence. */
export function whyNone<Type extends ScoreType>(type: Type, input: RecipeInputs[Type], other: Other): string {
  return reasons[type](input, other);
}

/** What is lacking to compare the heart with its own norm. */
function lackOfHeart({ hrv, hrvHistory, restingHeartRate, restingHeartRateHistory }: Heart): string {
  if (hrv === null && restingHeartRate === null)
    return 'this date has neither heart rate variability nor resting heart rate';
  const known: string[] = [];
  const tell = (name: string, history: readonly (number | null)[]) =>
    known.push(`${countReadings(history)} of ${name}`);
  if (hrv !== null) tell('heart rate variability', hrvHistory.map(lnOf));
  if (restingHeartRate !== null) tell('resting heart rate', restingHeartRateHistory);
  return `it takes 3 earlier readings in 60 days, and has ${known.join(' and ')}`;
}
