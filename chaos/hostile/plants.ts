import { scenarios } from './scenarios.ts';

export const plants = scenarios.flatMap((scenario) => scenario.plants);
