import { numberOf } from '../mapping/read.ts';

/** What a sensor measured; zero stands for none, as devices without the sensor tell it. */
export function sensed(value: unknown): number | null {
  return numberOf(value) || null;
}
