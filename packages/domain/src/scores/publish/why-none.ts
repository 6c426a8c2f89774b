import { countReadings, hasHrvNorm, hasRestingNorm, type RecipeInputs } from '../recipes/recipe-parts.ts';
import { lnOf } from '../inputs/baseline.ts';
import type { RecoveryInput } from '../recipes/one/recovery.ts';
import type { ScoreType } from '../score.ts';

type Other = Readonly<Record<string, unknown>>;
type Heart = Pick<RecoveryInput, 'hrv' | 'hrvHistory' | 'restingHeartRate' | 'restingHeartRateHistory'>;

const noNight = 'no main sleep ends on this date';
const noTimeAsleep = 'the time asleep is unknown';

const reasons: { readonly [Type in ScoreType]: (input: RecipeInputs[Type], other: Other) => string } = {
  recovery_score: (input) => {
    if (!hasHrvNorm(input) && !hasRestingNorm(input)) return lackOfHeart(input);
    return hasHrvNorm(input)
      ? 'heart rate variability is not enough on its own. Resting heart rate or sleep is also required, or both an HRV trend and four days of training load'
      : 'resting heart rate is not enough on its own. Sleep or heart rate variability is also required';
  },
  strain_score: (_input, { heart_rate_coverage_minutes: covered, workouts, weight }) =>
    `there are ${Math.floor(Number(covered))} of the required 600 minutes of heart rate, ` +
    `${workouts === 0 ? 'no workout' : 'no workout with heart rate, zones or perceived exertion'}, and ` +
    (weight === null ? 'no body weight, which active calories require' : 'no active calories'),
  sleep_score: (_input, { main_sleep: isNight }) => (isNight ? noTimeAsleep : noNight),
  stress_score: (input) => {
    const epochs = input.epochBaseline
      ? `there are ${input.epochs.length} of the required 36 five-minute epochs awake at rest`
      : 'fewer than 3 of the previous 14 days have epochs awake at rest';
    return `${epochs}, and ${lackOfHeart(input)}`;
  },
  nutrition_score: ({ dietaryEnergyKcal: eaten, restingEnergyKcal }) => {
    if (eaten === null) return 'no food was logged';
    const needed = Math.max(500, 0.5 * (restingEnergyKcal ?? 0));
    if (eaten < needed)
      return `only ${Math.floor(eaten)} kcal were logged, and a full day requires at least ${Math.ceil(needed)} kcal`;
    return 'too few nutrients were logged. At least 3 are required, with half of the total weight';
  },
  energy_reserve_score: ({ hoursAwake }) => (hoursAwake === null ? noNight : noTimeAsleep),
};

/** Explains what is missing for a score, as the end of a sentence, without a period. */
export function whyNone<Type extends ScoreType>(type: Type, input: RecipeInputs[Type], other: Other): string {
  return reasons[type](input, other);
}

/** What is missing to compare heart readings with the person's baseline. */
function lackOfHeart({ hrv, hrvHistory, restingHeartRate, restingHeartRateHistory }: Heart): string {
  if (hrv === null && restingHeartRate === null)
    return 'this date has neither heart rate variability nor resting heart rate';
  const known: string[] = [];
  const add = (name: string, history: readonly (number | null)[]) =>
    known.push(`${countReadings(history)} of 3${known.length === 0 ? ' required readings' : ''} of ${name}`);
  if (hrv !== null) add('heart rate variability', hrvHistory.map(lnOf));
  if (restingHeartRate !== null) add('resting heart rate', restingHeartRateHistory);
  return `the previous 60 days have ${known.join(' and ')}`;
}
