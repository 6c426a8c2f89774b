import type { RegisteredApp } from './apps.ts';
import type { DocumentKey, Grant, LabProvider, Visible } from './provider.ts';
import type { LabClock } from './world/clock.ts';
import type { Counts } from './world/counts.ts';
import type { Faults } from './world/faults.ts';
import type { Day } from './world/people/day.ts';
import type { PushLog } from './world/pushes.ts';

/** Simulated providers running on this machine. */
export interface Lab extends AsyncDisposable {
  url: string;
  seed: number;
  providers: readonly LabProvider[];
  clock: LabClock;
  faults: Faults;
  pushes: PushLog;
  apps: RegisteredApp[];
  /** The grants at one provider, or at all of them. */
  grants: (provider?: string) => (Grant & { provider: string })[];
  revoke: (grantId: string) => boolean;
  counts: (provider: string) => Counts;
  /** The ground truth, regardless of what the providers report about it. */
  truth: (person: string, date: string) => Day;
  /** The final state of a document, after its last revision. */
  finalOf: (provider: string, document: DocumentKey, endedAt: number) => Visible;
}
