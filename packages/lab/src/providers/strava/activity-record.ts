import type { Workout } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import type { SeenActivity } from './activities.ts';
import { stampsOf } from './stamps.ts';

/** The older, coarser sport types. */
const oldTypes: Partial<Record<string, string>> = { TrailRun: 'Run', GravelRide: 'Ride' };

/** The share of the burned energy that reaches the pedals. */
const pedalShare = 0.24;
const kilojoulesInKcal = 4.184;

/** Values that the ground truth does not contain. */
export interface Derived {
  elapsedSeconds: number;
  movingSeconds: number;
  /** Revolutions or steps of one leg per minute. Null for sports without a cadence. */
  cadence: number | null;
  watts: number | null;
  lowestM: number | null;
}

/** An activity as returned in lists. Values that a sport lacks are zero or absent, which is an assumption. */
export function summaryOf(frame: Frame, seen: SeenActivity): Record<string, unknown> {
  const { workout, state, isManual } = seen;
  const { elapsedSeconds, movingSeconds, cadence, watts, lowestM } = deriveFrom(frame, seen);
  const distance = workout.distanceM ?? 0;
  return {
    id: seen.id,
    name: state.name,
    type: oldTypes[state.sportType] ?? state.sportType,
    sport_type: state.sportType,
    ...stampsOf(seen.startsAt, seen.truth.timezone),
    elapsed_time: elapsedSeconds,
    moving_time: movingSeconds,
    distance,
    total_elevation_gain: workout.elevationGainM ?? 0,
    ...(lowestM !== null && { elev_high: lowestM + (workout.elevationGainM ?? 0), elev_low: lowestM }),
    average_speed: Math.round((1000 * distance) / movingSeconds) / 1000,
    has_heartrate: !isManual,
    ...(!isManual && { average_heartrate: workout.averageHeartRate, max_heartrate: workout.maxHeartRate }),
    ...(cadence !== null && { average_cadence: cadence }),
    ...(watts !== null && { average_watts: watts, kilojoules: (watts * movingSeconds) / 1000 }),
    device_name: isManual ? null : 'Lab Watch',
    manual: isManual,
    trainer: seen.isTrainer,
    private: state.isPrivate,
  };
}

/** A single activity. Only this response includes calories. */
export function detailOf(frame: Frame, seen: SeenActivity): Record<string, unknown> {
  return { ...summaryOf(frame, seen), calories: seen.workout.activeKcal };
}

/** Derives values that the ground truth lacks. Every call returns the same values. */
export function deriveFrom(frame: Frame, { person, workout, state, isManual }: SeenActivity): Derived {
  const chance = (what: string): number => frame.chance(what, person, workout.key);
  const whole = (workout.end - workout.start) / 1000;
  const elapsedSeconds = whole - state.croppedSeconds;
  const movingSeconds = elapsedSeconds - 10 * Math.floor((whole / 200) * chance('pauses'));
  return {
    elapsedSeconds,
    movingSeconds,
    cadence: isManual ? null : cadenceOf(workout.sport, chance('cadence')),
    watts:
      workout.sport === 'cycling' && !isManual
        ? Math.round((workout.activeKcal * kilojoulesInKcal * pedalShare * 1000) / movingSeconds)
        : null,
    lowestM: workout.elevationGainM === null || isManual ? null : Math.round(400 * chance('altitude')),
  };
}

function cadenceOf(sport: Workout['sport'], chance: number): number | null {
  if (sport === 'running') return 80 + Math.round(10 * chance);
  return sport === 'cycling' ? 70 + Math.round(25 * chance) : null;
}
