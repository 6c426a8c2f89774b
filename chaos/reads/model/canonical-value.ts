import type { ModelDevice } from './normalized.ts';

/** The canonical value of a metric and date. */
export interface CanonicalValue {
  micros: number;
  /** Null if the value is derived from other values. */
  source: ModelDevice | null;
  /** All devices that contributed, if there is more than one. */
  contributors: readonly ModelDevice[];
}

/** The value of these devices together. The first one is its source. */
export function canonicalValueOf(micros: number, devices: readonly ModelDevice[]): CanonicalValue {
  return {
    micros: Math.round(micros),
    source: devices[0]!,
    contributors: devices.length > 1 ? devices : [],
  };
}
