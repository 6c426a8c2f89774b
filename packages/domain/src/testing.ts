/** Internals that proofs compare with models of their own. The service does not import this. */
export { rankRowOf, ranks } from './devices/rank-table.ts';
export { traitsOf } from './sandbox/archetypes.ts';
export { scoreNutrition } from './scores/nutrition.ts';
export { scoreScales } from './scores/score-scales.ts';
export { type Score, scoreTypes } from './scores/score.ts';
export { scoreSleep } from './scores/sleep.ts';
