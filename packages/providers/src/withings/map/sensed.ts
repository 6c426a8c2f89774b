import { numberOf } from '../../mapping/read.ts';

/** A sensor value. Zero means none, which devices without the sensor report. */
export function sensed(value: unknown): number | null {
  return numberOf(value) || null;
}
