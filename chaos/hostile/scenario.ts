import type { Patch, Random, Report } from '@tributary/rig';

/** What a scenario gets. */
export interface Setup {
  /** The main file of the service under test, for `startRunStack`. */
  program: string;
  /** Whether to attack with less force for a shorter time. */
  isShort: boolean;
  random: Random;
  report: Report;
}

/** A guard that is removed in a copy of the service. The scenario must break a bound without it. */
export interface Plant {
  name: string;
  title: string;
  patches: readonly Patch[];
}

/** An attack on a running service, and the bounds that must hold during it. */
export interface Scenario {
  name: string;
  title: string;
  run: (setup: Setup) => Promise<void>;
  plants: readonly Plant[];
}
