import type { Samples } from './reduce.ts';

/** A range of times in seconds since 1970. */
export type Span = readonly [from: number, to: number];

export interface HeartRateProps {
  samples: Samples;
  nights: readonly Span[];
  workouts: readonly { name: string; span: Span }[];
  /** The user's time zone. */
  timeZone: string;
}

/** The values under the pointer. */
export interface Reading {
  time: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}
