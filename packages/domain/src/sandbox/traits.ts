export type Sport = 'running' | 'walking' | 'cycling' | 'swimming' | 'strength_training';
export type Shift = 'day' | 'night' | 'off';

export interface PlannedWorkout {
  readonly sport: Sport;
  readonly minutes: number;
  /** The share of the heart-rate reserve that it takes. */
  readonly effort: number;
}

/** What is typical of a person, before the chance of single days. */
export interface Traits {
  readonly ageYears: number;
  readonly sex: 'female' | 'male';
  readonly heightCm: number;
  readonly weightKg: number;
  readonly restingHeartRate: number;
  readonly rmssd: number;
  readonly respiratoryRate: number;
  readonly skinTemperature: number;
  readonly bloodOxygen: number;
  /** The middle of the night, how much later it is at weekends, and how it varies; hours from midnight. */
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
  /** The standard deviation of the logarithm of a day's steps. */
  readonly stepsSpread: number;
  /** Offsets from the average person, in standard deviations. */
  readonly stress: number;
  readonly diet: number;
  readonly napChance: number;
  /** The shifts of a working week that begins on the first day; null for those who work by day. */
  readonly shifts: readonly Shift[] | null;
  /** Days from the first one on which the person is ill. */
  readonly illDays: readonly number[];
  /** By weekday, Monday first. */
  readonly workouts: readonly (PlannedWorkout | null)[];
}
