import { scenarios } from './scenarios.ts';

/** Every planted fault, with the scenario that must detect it. */
export const plants = scenarios.flatMap((scenario) =>
  scenario.plants.map((plant) => ({ ...plant, scenario })),
);
