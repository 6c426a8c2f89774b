import { iso, type Diary, type Scene } from './diary.ts';

const minuteMs = 60_000;

/** A workout as it happened. */
interface Workout {
  sport: string;
  /** What all phones call it. */
  nameOnPhones: string;
  startMs: number;
  minutes: number;
  km: number;
}

const sports = [
  ['running', 'walking', 0.18],
  ['running', 'hiking', 0.17],
  ['cycling', 'other', 0.45],
  ['swimming', 'other', 0.04],
  ['walking', 'hiking', 0.09],
] as const;

/** At most one workout in the morning and one in the evening, far apart. */
export function workoutsOf({ random, day }: Scene): Workout[] {
  return [7, 17].flatMap((hour) => {
    if (!random.chance(0.35)) return [];
    const [sport, otherName, kmPerMinute] = random.pick(sports);
    const minutes = random.int(20, 90);
    const startMs = day.startMs + (hour * 60 + random.int(0, 60)) * minuteMs;
    const km = Math.round(minutes * kmPerMinute * 100) / 100;
    const nameOnPhones = random.chance(0.5) ? otherName : sport;
    return [{ sport, nameOnPhones, startMs, minutes, km }];
  });
}

/** A device records a workout under one of its names, a little later and a little longer or shorter. */
export function addWorkout(diary: Diary, { day }: Scene, workout: Workout): void {
  const { random } = diary;
  const isPhone = diary.device.kind === 'phone';
  const startMs = workout.startMs + random.int(0, 50) * 1000;
  const endMs = startMs + workout.minutes * minuteMs + random.int(0, 20) * 1000;
  const id = diary.newId('workout');
  const itemOf = (km: number) => ({
    id,
    sport_type: isPhone ? workout.nameOnPhones : workout.sport,
    start: iso(startMs),
    end: iso(endMs),
    ...(random.chance(0.8) ? { values: { distance: km } } : {}),
    ...(random.chance(0.6)
      ? {
          heart_rate: {
            start: iso(startMs),
            interval_seconds: 60,
            values: Array.from({ length: workout.minutes }, () => random.int(95, 170)),
          },
        }
      : {}),
  });
  diary.add(day.endMs, 'workouts', itemOf(workout.km));
  const laterMs = day.endMs + random.int(1, 150) * 3_600_000;
  if (random.chance(0.04)) diary.add(laterMs, 'deletions', { kind: 'workout', id });
  else if (random.chance(0.08)) diary.add(laterMs, 'workouts', itemOf(Math.round(workout.km * 101) / 100));
}

/** A platform's own distance of a sport. */
export function addSportTotal(diary: Diary, { day }: Scene): void {
  const { random } = diary;
  const metric = random.pick(['running', 'cycling', 'swimming']);
  const value = metric === 'swimming' ? random.int(200, 2500) : random.int(200, 1500) / 100;
  diary.add(day.endMs + 3_600_000, 'daily', { metric, date: day.date, value });
}
