import { formatDay } from '../../days.ts';
import { roundTo } from '../../round.ts';
import type { DayPlan } from '../day/plan.ts';
import { isInWorkout, workoutDistanceKm, type TruthWorkout } from '../day/workout.ts';
import { endsInside, timeAt, type Report, type ReportedDay } from './report.ts';
import { slotMinutes } from '../day/slots.ts';

/** Measurements of the watch in five-minute slots. */
interface SeenSlots {
  readonly heartRate: readonly number[];
  readonly steps: readonly number[];
  readonly active: readonly number[];
}

const poolMetres = 25;
const metresPerStroke = 2;
/** Metabolic equivalents of rest and of full effort. */
const [restMets, effortMets] = [1, 12];

/** What depends on the sport: climbing and weather outdoors, strokes in the pool. */
function detailsOf(
  { chance }: DayPlan,
  { sport, effort }: TruthWorkout,
  km: number | null,
): Record<string, number> {
  const avg_mets = roundTo(restMets + effortMets * effort, 1);
  if (sport === 'swimming')
    return {
      avg_mets,
      swimming_lap_length_m: poolMetres,
      swimming_stroke_count: Math.round(((km ?? 0) * 1000) / metresPerStroke),
    };
  if (sport === 'strength_training') return { avg_mets };
  return {
    avg_mets,
    elevation_gain: Math.round((km ?? 0) * (4 + 8 * chance.uniform('workout|climb'))),
    weather_temperature_c: roundTo(12 + 5 * chance.normal('workout|temperature'), 1),
    weather_humidity_pct: Math.round(50 + 35 * chance.uniform('workout|humidity')),
  };
}

/** The workout of a day, if its end is in the reported window: totals of its slots, and the heart rate of every minute. */
export function reportWorkout(
  { truth, window }: ReportedDay,
  { heartRate, steps, active }: SeenSlots,
  highestHeartRate: number,
): Report['workouts'] {
  const { workout, plan } = truth;
  if (!workout || !endsInside(window, workout.endMinute)) return [];
  const inside = (values: readonly number[]) =>
    values.reduce((sum, value, slot) => sum + (isInWorkout(workout, slot) ? value : 0), 0);
  const km = workoutDistanceKm(plan, workout, steps);
  const start = timeAt(window, workout.startMinute);
  const trace = Array.from({ length: workout.minutes }, (_, minute) => {
    const slot = Math.floor((workout.startMinute + minute) / slotMinutes);
    const wobble = Math.round(6 * plan.chance.uniform(`watch|trace|${minute}`) - 3);
    return Math.min(highestHeartRate, heartRate[slot]! + wobble);
  });
  return [
    {
      id: `workout-${formatDay(plan.day)}`,
      sport_type: workout.sport,
      start,
      end: timeAt(window, workout.endMinute),
      values: {
        duration: workout.minutes,
        active_calories: inside(active),
        ...(km === null ? {} : { distance: Math.round(km * 1000) / 1000 }),
        ...(workout.sport === 'running' || workout.sport === 'walking' ? { steps: inside(steps) } : {}),
        ...detailsOf(plan, workout, km),
      },
      heart_rate: { start, interval_seconds: 60, values: trace },
    },
  ];
}
