import { poison } from './poison.ts';
import type { Scenario } from './scenario.ts';

export type { Scenario } from './scenario.ts';

/** All attacks, in the order in which they run. */
export const scenarios: readonly Scenario[] = [poison];
