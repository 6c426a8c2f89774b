/** Sleep stages as the body goes through them. Providers use their own names. */
export type Stage = 'awake' | 'light' | 'deep' | 'rem';

/** A value at a time, in milliseconds since 1970. */
export interface Sample {
  at: number;
  value: number;
}

/** A period of one stage. */
export interface StageSpan {
  stage: Stage;
  start: number;
  end: number;
}

/** One sleep, from going to bed to getting up. It belongs to the local date on which it ends. */
export interface Sleep {
  /** Stable: the same sleep of the same person has the same key at every provider. */
  key: string;
  start: number;
  end: number;
  isMain: boolean;
  /** Without gaps from start to end. The first span is awake: falling asleep. */
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

/** What a person's body did on one local date. This is the ground truth, of which each provider reports a part. */
export interface Day {
  date: string;
  /** Where the person was, as an IANA name. The day has 23 or 25 hours when clocks change. */
  timezone: string;
  start: number;
  end: number;
  steps: number;
  /** Steps in each hour of the day. They add up to `steps`. */
  hourlySteps: number[];
  distanceM: number;
  floors: number;
  activeKcal: number;
  basalKcal: number;
  activeSeconds: { low: number; medium: number; high: number };
  sedentarySeconds: number;
  restingHeartRate: number;
  /** Every five minutes of the whole day, including sleep and workouts. */
  heartRate: Sample[];
  hrvRmssd: number;
  respiratoryRate: number;
  temperatureDeviationC: number;
  stressHighSeconds: number;
  recoveryHighSeconds: number;
  /** Sleeps that ended on this date, in order. */
  sleeps: Sleep[];
  workouts: Workout[];
  /** On days with a weight measurement. */
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
  /** Every five minutes, in mg/dL. Empty for people without a sensor. */
  glucose: Sample[];
}
