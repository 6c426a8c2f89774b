import { scenarios } from './scenarios.ts';

/** The faults of all scenarios, each with its scenario. */
export const plants = scenarios.flatMap((scenario) =>
  scenario.plants.map((plant) => ({ ...plant, scenario })),
);
