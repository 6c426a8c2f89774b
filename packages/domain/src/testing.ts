/** Internals that tests compare with their own models. The service does not import this. */
export { rankRowOf, ranks } from './devices/rank-table.ts';
export { traitsOf } from './sandbox/person/archetypes.ts';
export { scoreNutrition } from './scores/recipes/one/nutrition.ts';
export { scoreScales } from './scores/publish/score-scales.ts';
export { type Score, scoreTypes } from './scores/score.ts';
export { scoreSleep } from './scores/recipes/one/sleep.ts';
