/** Internals that tests compare with their own models. The service does not import this. */
export { rankRowOf, ranks } from './devices/rank-table.ts';
export { dailyTruth, type DailyTruth } from './sandbox/daily-truth.ts';
export { traitsOf } from './sandbox/person/archetypes.ts';
export { energyNeedOf, scoreNutritionTwo } from './scores/recipes/two/nutrition.ts';
export { scoreScales } from './scores/publish/score-scales.ts';
export { type Score, scoreTypes } from './scores/score.ts';
export { scoreSleepTwo } from './scores/recipes/two/sleep.ts';
