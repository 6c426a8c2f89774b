import { keepDailyActivity } from './daily-activity.ts';
import {
  keepCardiovascularAge,
  keepDailyResilience,
  keepDailySpo2,
  keepDailyStress,
  keepVo2Max,
} from './daily-health.ts';
import { keepDailyReadiness, keepDailySleep } from './daily-scores.ts';
import type { Keep } from './document-state.ts';
import { keepSleep } from './sleep.ts';
import { keepWorkout } from './workout.ts';

/** A collection: its name in paths, its name in pushes, and the scopes that allow access. One of them is enough. */
export interface Collection {
  name: string;
  dataType: string;
  scopes: readonly string[];
  keep: Keep;
}

const nothing: Keep = () => [];

/** The scopes per collection are assumptions based on their names. Simulated users have no data in the last five. */
export const collections: readonly Collection[] = [
  of('daily_activity', ['daily'], keepDailyActivity),
  of('sleep', ['daily'], keepSleep),
  of('daily_sleep', ['daily'], keepDailySleep),
  of('daily_readiness', ['daily'], keepDailyReadiness),
  of('daily_spo2', ['spo2Daily', 'spo2'], keepDailySpo2),
  of('daily_stress', ['stress'], keepDailyStress),
  of('daily_resilience', ['stress'], keepDailyResilience),
  of('workout', ['workout'], keepWorkout),
  of('vO2_max', ['heart_health'], keepVo2Max, 'vo2_max'),
  of('daily_cardiovascular_age', ['heart_health'], keepCardiovascularAge),
  of('session', ['session'], nothing),
  of('sleep_time', ['daily'], nothing),
  of('rest_mode_period', ['daily'], nothing),
  of('ring_configuration', ['ring_configuration'], nothing),
  of('enhanced_tag', ['tag'], nothing),
];

function of(name: string, scopes: string[], keep: Keep, dataType = name): Collection {
  return { name, dataType, scopes, keep };
}
