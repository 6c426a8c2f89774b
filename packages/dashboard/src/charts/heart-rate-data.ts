import type { Samples } from './reduce.ts';

/** From one moment to another, in seconds since 1970. */
export type Span = readonly [from: number, to: number];

export interface HeartRateProps {
  samples: Samples;
  nights: readonly Span[];
  workouts: readonly { name: string; span: Span }[];
  /** The zone that the person lives in. */
  timeZone: string;
}

/** What the pointer is on. */
export interface Reading {
  time: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}
