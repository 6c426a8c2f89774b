/** A workout as a device reported it. */
export interface ReportedWorkout {
  sport: string;
  startMs: number;
  endMs: number;
}

/** What is known about a day by construction. Metrics that the set has no truth for are missing. */
export interface TruthDay {
  date: string;
  values: Partial<Record<Measured, number>>;
  workouts: number;
}

/** A person whose data is in the service. */
export interface Subject {
  name: string;
  userId: string;
  timezone: string;
  days: readonly TruthDay[];
  /** Of all devices. */
  workouts: readonly ReportedWorkout[];
}

/** Amounts of movement, whose default method the benchmark compares. */
export const counted = ['steps', 'distance', 'active_calories', 'exercise', 'floors_climbed'] as const;
/** Metrics that one device gives. */
export const chosen = ['asleep', 'resting_heart_rate', 'heart_rate'] as const;
export const measured = [...counted, ...chosen] as const;
export type Measured = (typeof measured)[number];
