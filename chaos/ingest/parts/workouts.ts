import { iso, type Diary, type Draft } from '../diary.ts';
import { daysOfData } from '../personas.ts';
import type { Random } from '@tributary/rig';

const minuteMs = 60_000;
const coreMinutes = 40;

/** Adds one run a day. All versions of it share the same core, so at least half of the shorter one overlaps. */
export function addWorkout(random: Random, diary: Diary, { body }: Draft): number {
  const { persona, phaseHours } = diary;
  const day = random.int(0, daysOfData - 1);
  const id = `run-${day}`;
  const coreMs = persona.firstMs + (day * 24 + phaseHours + 16) * 60 * minuteMs;
  const startMs = coreMs - random.int(0, 20) * minuteMs;
  const endMs = coreMs + (coreMinutes + random.int(0, 20)) * minuteMs;
  (body.workouts ??= []).push({
    id,
    sport_type: random.pick(['running', 'jogging', 'treadmill']),
    start: iso(startMs),
    end: iso(endMs),
    values: { distance: random.int(200, 1500) / 100, active_calories: random.int(100, 900) },
    heart_rate: {
      start: iso(startMs),
      interval_seconds: 30,
      values: Array.from({ length: random.int(5, 40) }, () => random.int(90, 185)),
    },
  });
  diary.workouts.push(id);
  return 0;
}

export function deleteWorkout(random: Random, diary: Diary, { body }: Draft): number {
  const id = diary.workouts.length > 0 ? random.pick(diary.workouts) : 'run-0';
  (body.deletions ??= []).push({ kind: 'workout', id });
  return 0;
}
