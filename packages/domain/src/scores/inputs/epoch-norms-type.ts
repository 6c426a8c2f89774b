import type { Baseline } from './baseline.ts';
import type { HrvKind } from './day-facts.ts';

/** The usual epochs before a date. */
export interface EpochNorms {
  /** Null while too few days have epochs. */
  readonly heartRate: Baseline | null;
  /** The person's measure of variability: rMSSD if enough days have it, else SDNN. */
  readonly hrvKind: HrvKind | null;
  readonly lnHrv: Baseline | null;
}
