import type { Patch } from '@tributary/rig';

export interface SyncOptions {
  seed: string;
  people: number;
  /** Days with faults. Quiet ones follow. */
  days: number;
  /** Days of history to read, counted back from the connection. */
  historyDays: number;
  stepMs: number;
  quietStepMs: number;
  kills: number;
  revocations: number;
  patches?: readonly Patch[];
}
