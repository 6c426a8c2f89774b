import type { DayNumber } from '../../days.ts';
import type { ComparedEpochs } from '../inputs/epoch-norms.ts';
import type { PersonDays } from '../inputs/person-days.ts';
import {
  gradualRules,
  prepareNutritionTwo,
  prepareRecoveryTwo,
  prepareSleepTwo,
} from '../inputs/score-inputs-two.ts';
import {
  prepareEnergyReserve,
  prepareNutrition,
  prepareRecovery,
  prepareSleep,
  prepareStress,
  type Prepared,
  type ReserveNeeds,
} from '../inputs/score-inputs.ts';
import { effortFromLight, prepareStrain, type EffortRules } from '../inputs/strain-inputs.ts';
import type { RecipeVersion, Scored } from '../score.ts';
import { scoreEnergyReserve } from './one/energy-reserve.ts';
import { scoreNutrition } from './one/nutrition.ts';
import { scoreRecovery } from './one/recovery.ts';
import { scoreSleep, type SleepInput } from './one/sleep.ts';
import { scoreStrain } from './one/strain.ts';
import { scoreStress } from './stress.ts';
import { scoreEnergyReserveTwo } from './two/energy-reserve.ts';
import { scoreNutritionTwo } from './two/nutrition.ts';
import { scoreRecoveryTwo } from './two/recovery.ts';
import { scoreSleepTwo } from './two/sleep.ts';
import { scoreStrainTwo } from './two/strain.ts';

/** The input of a recipe, and its score. Null without enough data. */
interface Result<Input = unknown> {
  readonly prepared: Prepared<Input>;
  readonly scored: Scored | null;
}

/** The formulas of all six scores. */
interface Recipe {
  readonly effort: EffortRules;
  sleep(days: PersonDays, day: DayNumber): Result<SleepInput>;
  strain(days: PersonDays, day: DayNumber): Result;
  recovery(days: PersonDays, day: DayNumber, sleepScore: number | null): Result;
  stress(days: PersonDays, day: DayNumber, compared: ComparedEpochs): Result;
  nutrition(days: PersonDays, day: DayNumber): Result;
  reserve(days: PersonDays, day: DayNumber, needs: ReserveNeeds): Result;
}

/** All recipes by version. */
export const recipes: Readonly<Record<RecipeVersion, Recipe>> = {
  1: {
    effort: effortFromLight,
    sleep: (days, day) => run(prepareSleep(days, day), scoreSleep),
    strain: (days, day) => run(prepareStrain(days, day, effortFromLight), (input) => scoreStrain(input)),
    recovery: (days, day, sleepScore) => run(prepareRecovery(days, day, sleepScore), scoreRecovery),
    stress: (days, day, compared) => run(prepareStress(days, day, compared), scoreStress),
    nutrition: (days, day) => run(prepareNutrition(days, day), scoreNutrition),
    reserve: (days, day, needs) => run(prepareEnergyReserve(days, day, needs), scoreEnergyReserve),
  },
  2: {
    effort: gradualRules,
    sleep: (days, day) => run(prepareSleepTwo(days, day), scoreSleepTwo),
    strain: (days, day) => run(prepareStrain(days, day, gradualRules), scoreStrainTwo),
    recovery: (days, day) => run(prepareRecoveryTwo(days, day), scoreRecoveryTwo),
    // The formula of stress did not change.
    stress: (days, day, compared) =>
      run(prepareStress(days, day, compared), (input) => {
        const scored = scoreStress(input);
        return scored && { ...scored, version: 2 };
      }),
    nutrition: (days, day) => run(prepareNutritionTwo(days, day), scoreNutritionTwo),
    reserve: (days, day, needs) => run(prepareEnergyReserve(days, day, needs), scoreEnergyReserveTwo),
  },
};

function run<Input>(prepared: Prepared<Input>, score: (input: Input) => Scored | null): Result<Input> {
  return { prepared, scored: score(prepared.input) };
}
