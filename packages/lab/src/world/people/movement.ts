import { chanceOf } from '../hash.ts';
import type { Day, Workout } from './day.ts';
import type { Person } from './person.ts';
import { SPORTS } from './training.ts';
import type { Traits } from './traits.ts';

const HOUR = 3_600_000;
const STEPS_A_MINUTE = 95;

interface Span {
  start: number;
  end: number;
}

export type Movement = Pick<
  Day,
  | 'steps'
  | 'hourlySteps'
  | 'distanceM'
  | 'floors'
  | 'activeKcal'
  | 'basalKcal'
  | 'activeSeconds'
  | 'sedentarySeconds'
>;

/** A person's movement on a day. Sleep, walking, workouts and sitting add up to the day. */
export function movementOf(
  person: Person,
  day: Span & { date: string },
  traits: Traits,
  sleeps: readonly Span[],
  workouts: readonly Workout[],
): Movement {
  const draw = (...words: (string | number)[]): number => chanceOf(person.seed, 'move', day.date, ...words);
  const eager = 0.6 + 0.8 * draw('eager');
  const hourlySteps: number[] = [];
  let walked = 0;
  for (let start = day.start; start < day.end; start += HOUR) {
    const hour = { start, end: Math.min(day.end, start + HOUR) };
    const free = hour.end - hour.start - overlap(hour, sleeps) - overlap(hour, workouts);
    // Of sixteen hours awake, some are spent walking and most are not.
    const steps = Math.round((traits.stepsADay / 16) * eager * 3 * draw('hour', start) ** 2 * (free / HOUR));
    walked += steps;
    const trained = workouts.reduce(
      (sum, workout) => sum + SPORTS[workout.sport].steps * (overlap(hour, [workout]) / 60_000),
      0,
    );
    hourlySteps.push(steps + Math.round(trained));
  }
  const steps = hourlySteps.reduce((sum, each) => sum + each, 0);
  const onFoot = workouts.filter(({ sport }) => sport === 'running' || sport === 'walking');
  const trainedSeconds = sum(workouts.map(({ start, end }) => (end - start) / 1000));
  const walkedSeconds = Math.round((walked / STEPS_A_MINUTE) * 60);
  const medium = sum(workouts.map(({ zoneSeconds }) => zoneSeconds[1] + zoneSeconds[2]));
  const high = sum(workouts.map(({ zoneSeconds }) => zoneSeconds[3] + zoneSeconds[4]));
  const daySeconds = (day.end - day.start) / 1000;
  const basalADay = 10 * traits.weightKg + 625 * person.heightM - 5 * traits.ageYears - 78;
  return {
    steps,
    hourlySteps,
    distanceM: Math.round(
      walked * person.heightM * 0.414 + sum(onFoot.map(({ distanceM }) => distanceM ?? 0)),
    ),
    floors: Math.floor((steps / 1100) * (0.5 + draw('floors'))),
    activeKcal: Math.round(
      walked * 0.0006 * traits.weightKg + sum(workouts.map(({ activeKcal }) => activeKcal)),
    ),
    basalKcal: Math.round((basalADay * daySeconds) / 86_400),
    activeSeconds: { low: walkedSeconds + trainedSeconds - medium - high, medium, high },
    sedentarySeconds: daySeconds - overlap(day, sleeps) / 1000 - trainedSeconds - walkedSeconds,
  };
}

/** How many milliseconds of a span overlap with others. */
function overlap(span: Span, others: readonly Span[]): number {
  return sum(
    others.map(({ start, end }) => Math.max(0, Math.min(end, span.end) - Math.max(start, span.start))),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
