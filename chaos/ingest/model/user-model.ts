import { LocalDays } from '@tributary/rig';
import type { DeviceKind } from '../upload.ts';
import { deviceDays } from './device-days.ts';
import { normalize, type CountedBatch, type Normalized } from './normalized.ts';
import { print, rankOf } from './rules.ts';
import { resolveSessions, type CanonicalSession } from './sessions.ts';

/** Everything that must be stored for one user. */
export interface UserModel {
  normalized: Normalized;
  /** `date metric` → the formatted canonical value. */
  canonicalValues: Map<string, string>;
  sleep: Map<string, CanonicalSession>;
  workouts: Map<string, CanonicalSession>;
}

/** Derives a user's data from the stored batches, independently of the service. */
export function modelUser(timezone: string, batches: readonly CountedBatch[]): UserModel {
  const days = new LocalDays(timezone);
  const normalized = normalize(batches);
  const sleep = resolveSessions(normalized.sleep, days, 'endMs');
  const workouts = resolveSessions(normalized.workouts, days, 'startMs');

  const best = new Map<string, { micros: number; rank: number }>();
  for (const device of ['watch', 'phone'] satisfies DeviceKind[]) {
    for (const [key, micros] of deviceDays(normalized, device, days)) {
      const rank = rankOf(key.split(' ')[1]!, device);
      const before = best.get(key);
      if (!before || rank < before.rank) best.set(key, { micros, rank });
    }
  }
  const micros = new Map([...best].map(([key, winner]) => [key, winner.micros]));
  for (const [key, deep] of micros) {
    const [date, metric] = key.split(' ');
    const rem = micros.get(`${date} REM`);
    if (metric === 'deep_sleep' && rem !== undefined) micros.set(`${date} restorative_sleep`, deep + rem);
  }
  addFromSleep(micros, sleep, days);
  addFromWorkouts(micros, workouts);
  const values = new Map([...micros].map(([key, value]) => [key, print(key.split(' ')[1]!, value)]));
  return { normalized, canonicalValues: values, sleep, workouts };
}

function addFromSleep(
  micros: Map<string, number>,
  sleep: Map<string, CanonicalSession>,
  days: LocalDays,
): void {
  for (const [date, sessions] of Map.groupBy(sleep.values(), (session) => session.date)) {
    micros.set(`${date} nap_count`, sessions.filter(({ isMain }) => !isMain).length * 1e6);
    const main = sessions.find(({ isMain }) => isMain);
    if (!main) continue;
    const clock = (instantMs: number) => days.minutesFrom(date, instantMs) * 1e6;
    micros.set(`${date} bedtime`, clock(main.startMs));
    micros.set(`${date} wake_time`, clock(main.endMs));
    micros.set(`${date} sleep_midpoint`, clock((main.startMs + main.endMs) / 2));
  }
}

function addFromWorkouts(micros: Map<string, number>, workouts: Map<string, CanonicalSession>): void {
  for (const [date, ofDay] of Map.groupBy(workouts.values(), (workout) => workout.date)) {
    micros.set(`${date} workout_count`, ofDay.length * 1e6);
    const energy = ofDay.reduce((sum, { numbers }) => sum + numbers['active_calories']! * 1e6, 0);
    micros.set(`${date} exercise_energy`, energy);
  }
}
