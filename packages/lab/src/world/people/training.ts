import { chanceOf } from '../hash.ts';
import type { Sample, Workout } from './day.ts';
import { momentAt, zoneOn } from './local-time.ts';
import type { Person } from './person.ts';
import type { Traits } from './traits.ts';

const MINUTE = 60_000;
const GRID = 5 * MINUTE;
const STEP = 10_000;

interface Sport {
  /** A share of the maximum heart rate. */
  effort: number;
  metres: number | null;
  climbs: boolean;
  kcal: number;
  steps: number;
}

/** The effect of one minute of each sport. */
export const SPORTS: Record<Workout['sport'], Sport> = {
  running: { effort: 0.79, metres: 165, climbs: true, kcal: 10.5, steps: 165 },
  cycling: { effort: 0.72, metres: 420, climbs: true, kcal: 8.5, steps: 0 },
  swimming: { effort: 0.7, metres: 38, climbs: false, kcal: 8, steps: 0 },
  strength: { effort: 0.62, metres: null, climbs: false, kcal: 5.5, steps: 12 },
  yoga: { effort: 0.5, metres: null, climbs: false, kcal: 2.8, steps: 4 },
  walking: { effort: 0.53, metres: 85, climbs: true, kcal: 4, steps: 112 },
};
const NAMES = Object.keys(SPORTS) as Workout['sport'][];

/** The workouts of a date between getting up and going to bed: mostly none or one, in the morning or the evening. */
export function workoutsOn(
  person: Person,
  date: string,
  traits: Traits,
  awake: { from: number; to: number },
): Workout[] {
  const workouts: Workout[] = [];
  for (const slot of ['morning', 'evening'] as const) {
    const draw = (what: string): number => chanceOf(person.seed, 'workout', date, slot, what);
    const wanted = slot === 'morning' ? 0.12 + 0.18 * traits.fitness : 0.2 + 0.35 * traits.fitness;
    if (draw('wanted') >= wanted) continue;
    const clock = slot === 'morning' ? 8 * 60 + 30 + 60 * draw('start') : 17 * 60 + 90 * draw('start');
    const start = Math.round(momentAt(zoneOn(person, date), date, clock) / GRID) * GRID;
    const end = start + (6 + Math.floor(13 * draw('length'))) * GRID;
    if (start < awake.from + 30 * MINUTE || end > awake.to - 60 * MINUTE) continue;
    const sport = NAMES[Math.floor(draw('sport') * NAMES.length)]!;
    workouts.push(live(person.seed, `${date}-${slot}`, sport, start, end, traits, draw));
  }
  return workouts;
}

function live(
  seed: number,
  key: string,
  sport: Workout['sport'],
  start: number,
  end: number,
  traits: Traits,
  draw: (what: string) => number,
): Workout {
  const { effort, metres, climbs, kcal } = SPORTS[sport];
  const minutes = (end - start) / MINUTE;
  const pace = 0.85 + 0.2 * traits.fitness + 0.1 * draw('pace');
  const heartRate = heartRateOf(seed, key, start, end, effort * (0.95 + 0.08 * draw('effort')), traits);
  const values = heartRate.map(({ value }) => value);
  const distanceM = metres === null ? null : Math.round(metres * pace * minutes);
  return {
    key,
    sport,
    start,
    end,
    distanceM,
    elevationGainM: climbs ? Math.round((distanceM ?? 0) * 0.012 * draw('hills')) : null,
    activeKcal: Math.round(kcal * pace * minutes * (traits.weightKg / 72)),
    averageHeartRate: Math.round(values.reduce((sum, value) => sum + value, 0) / values.length),
    maxHeartRate: Math.max(...values),
    heartRate,
    zoneSeconds: zonesOf(values, traits.maxHeartRate),
  };
}

/** Rises over the first minutes, then varies around the effort. */
function heartRateOf(
  seed: number,
  key: string,
  start: number,
  end: number,
  effort: number,
  traits: Traits,
): Sample[] {
  const samples: Sample[] = [];
  const calm = traits.restingHeartRate + 20;
  const target = effort * traits.maxHeartRate;
  const phase = 6.28 * chanceOf(seed, key, 'phase');
  for (let at = start; at < end; at += STEP) {
    const minute = (at - start) / MINUTE;
    const warm = 1 - Math.exp(-minute / 3.5);
    const wave = 5 * Math.sin(minute / 4 + phase) + 3 * Math.sin(minute / 1.3);
    const noise = 3 * chanceOf(seed, key, at) - 1.5;
    samples.push({
      at,
      value: Math.round(Math.min(traits.maxHeartRate, calm + (target - calm) * warm + wave + noise)),
    });
  }
  return samples;
}

/** Each sample covers ten seconds. Values below half of the maximum are in no zone. */
function zonesOf(values: readonly number[], highest: number): Workout['zoneSeconds'] {
  const zones: Workout['zoneSeconds'] = [0, 0, 0, 0, 0];
  for (const value of values) {
    const zone = Math.min(4, Math.floor((value / highest - 0.5) * 10 + 1e-9));
    if (zone >= 0) zones[zone]! += STEP / 1000;
  }
  return zones;
}
