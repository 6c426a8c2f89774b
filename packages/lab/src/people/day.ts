/** Stages of sleep as a body goes through them; providers have their own words. */
export type Stage = 'awake' | 'light' | 'deep' | 'rem';

/** A value at a moment, in milliseconds of UTC. */
export interface Sample {
  at: number;
  value: number;
}

/** A stretch of one stage. */
export interface StageSpan {
  stage: Stage;
  start: number;
  end: number;
}

/** One sleep, from lying down to getting up. It belongs to the local date on which it ends. */
export interface Sleep {
  /** Stable: the same sleep of the same person has the same key at every provider. */
  key: string;
  start: number;
  end: number;
  isMain: boolean;
  /** Without a gap from start to end; the first span is awake: falling asleep. */
  stages: StageSpan[];
  averageHeartRate: number;
  lowestHeartRate: number;
  /** RMSSD, in milliseconds. */
  averageHrv: number;
  respiratoryRate: number;
  bloodOxygenPercent: number;
  skinTemperatureC: number;
  /** Every five minutes. */
  heartRate: Sample[];
  hrv: Sample[];
  disturbances: number;
}

export interface Workout {
  key: string;
  sport: 'running' | 'cycling' | 'swimming' | 'strength' | 'yoga' | 'walking';
  start: number;
  end: number;
  distanceM: number | null;
  elevationGainM: number | null;
  activeKcal: number;
  averageHeartRate: number;
  maxHeartRate: number;
  /** Every ten seconds. */
  heartRate: Sample[];
  /** Seconds in zones 1 to 5. */
  zoneSeconds: [number, number, number, number, number];
}

/** What the body of a person did on one local date: the truth from which each provider tells its part. */
export interface Day {
  date: string;
  /** Where the person was, an IANA name; the day has 23 or 25 hours where clocks are set. */
  timezone: string;
  start: number;
  end: number;
  steps: number;
  /** Steps in each hour of the day, as many as it has; they add up to `steps`. */
  hourlySteps: number[];
  distanceM: number;
  floors: number;
  activeKcal: number;
  basalKcal: number;
  activeSeconds: { low: number; medium: number; high: number };
  sedentarySeconds: number;
  restingHeartRate: number;
  /** Every five minutes of the whole day, of sleep and workouts too. */
  heartRate: Sample[];
  hrvRmssd: number;
  respiratoryRate: number;
  temperatureDeviationC: number;
  stressHighSeconds: number;
  recoveryHighSeconds: number;
  /** Sleeps that ended on this date, in order. */
  sleeps: Sleep[];
  workouts: Workout[];
  /** On days on which the person stepped on a scale. */
  body: {
    at: number;
    weightKg: number;
    fatPercent: number;
    muscleKg: number;
    boneKg: number;
    waterKg: number;
  } | null;
  bloodPressure: { at: number; systolic: number; diastolic: number; pulse: number } | null;
  vo2Max: number;
  /** Every five minutes, mg/dL; for people who wear a sensor, else empty. */
  glucose: Sample[];
}
