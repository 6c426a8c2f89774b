export type Sport = 'running' | 'walking' | 'cycling' | 'swimming' | 'strength_training';
export type Shift = 'day' | 'night' | 'off';

export interface PlannedWorkout {
  readonly sport: Sport;
  readonly minutes: number;
  /** Effort as a share of the heart rate reserve. */
  readonly effort: number;
}

/** Typical values of a person, before daily variation. */
export interface Traits {
  readonly ageYears: number;
  readonly sex: 'female' | 'male';
  readonly heightCm: number;
  /** On the first day. */
  readonly weightKg: number;
  readonly restingHeartRate: number;
  readonly rmssd: number;
  readonly respiratoryRate: number;
  readonly skinTemperature: number;
  readonly bloodOxygen: number;
  /** The midpoint of sleep, how much later it is on weekends, and its standard deviation. In hours from midnight. */
  readonly midSleepHours: number;
  readonly weekendDelayHours: number;
  readonly midSleepSdHours: number;
  readonly asleepMinutes: number;
  readonly asleepSdMinutes: number;
  readonly efficiencyPercent: number;
  readonly latencyMinutes: number;
  readonly deepPercent: number;
  readonly remPercent: number;
  readonly weekdaySteps: number;
  readonly weekendSteps: number;
  /** The standard deviation of the logarithm of daily steps. */
  readonly stepsSpread: number;
  /** Offsets from the average person, in standard deviations. */
  readonly stress: number;
  readonly diet: number;
  readonly napChance: number;
  /** Whether a menstrual cycle shows in the resting heart rate and the skin temperature. */
  readonly hasCycle: boolean;
  /** The shifts of a work week that begins on the first day. Null for people without shifts. */
  readonly shifts: readonly Shift[] | null;
  /** Days of illness, counted from the first day. */
  readonly illDays: readonly number[];
  /** By weekday, Monday first. */
  readonly workouts: readonly (PlannedWorkout | null)[];
}
