import { poison } from './poison.ts';
import type { Scenario } from './scenario.ts';
import { silentHost } from './silent-host.ts';
import { sockets } from './sockets.ts';

export type { Scenario } from './scenario.ts';

/** All attacks, in the order in which they run. */
export const scenarios: readonly Scenario[] = [poison, sockets, silentHost];
