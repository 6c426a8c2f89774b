import { clamp } from '../../clamp.ts';
import { roundTo } from '../../round.ts';
import { exerciseOf } from '../day/exercise.ts';
import { maxHeartRateOf } from '../day/heart.ts';
import { distancesOnFoot } from '../day/workout.ts';
import { shareOut } from '../day/share-out.ts';
import { slotMinutes } from '../day/slots.ts';
import type { DayTruth } from '../day/truth.ts';
import { leastHeartRate, readRmssd } from './observed-sleep.ts';
import { recordOf, seriesOf, type Report, type ReportedDay } from './report.ts';
import { reportWorkout } from './watch-workout.ts';

const hourMinutes = 60;
const dayHours = 24;
const metresPerKm = 1000;
const oxygenEveryMinutes = 4 * hourMinutes;

/** What a watch measures whenever it is worn, at night too: heart rate, movement, energy and workouts. */
export function reportOfWatch(reported: ReportedDay): Report {
  const { truth, window, habits } = reported;
  const { worn } = habits;
  const { chance, traits } = truth.plan;
  const beatsOff = 0.8 * chance.normal('watch|heart_rate');
  const highest = Math.floor(maxHeartRateOf(traits));
  const heartRate = truth.heart.heartRate.map((bpm) =>
    clamp(Math.round(bpm + beatsOff), leastHeartRate, highest),
  );
  const { steps, km, active } = movementOf(truth);
  const resting = shareOut(
    Math.round(truth.energy.restingCalories),
    Array.from({ length: dayHours }, () => 1),
  );
  const ofSlots = (metric: string, values: readonly number[]) =>
    seriesOf(
      window,
      metric,
      slotMinutes,
      values.map((value, slot) => (worn[slot] ? value : null)),
    );
  return {
    series: [
      ...ofSlots('heart_rate', heartRate),
      ...ofSlots('steps', steps),
      ...ofSlots('distance', km),
      ...ofSlots('active_calories', active),
      ...seriesOf(window, 'resting_energy', hourMinutes, resting),
      ...seriesOf(window, 'exercise', hourMinutes, exerciseOf(truth, worn)),
    ],
    records: [
      ...recordOf(
        window,
        'resting_heart_rate',
        truth.night.endMinute,
        Math.round(truth.vitals.restingHeartRate),
      ),
      ...timesOfDay(oxygenEveryMinutes).flatMap((minute) =>
        worn[minute / slotMinutes] ? recordOf(window, 'blood_oxygen', minute, readOxygen(truth, minute)) : [],
      ),
    ],
    daily: [],
    sleep: [],
    workouts: reportWorkout(reported, { heartRate, steps, active }, highest),
  };
}

/** How a watch measures heart rate variability: with one factor per day. */
export function hrvOf({ plan: { chance } }: DayTruth): (rmssd: number) => number {
  const factor = 1 + 0.11 * chance.normal('watch|heart_rate_variability_rmssd');
  return (rmssd) => readRmssd(rmssd, factor);
}

/** The middle of every stretch of the day with a length, in minutes. */
export function timesOfDay(everyMinutes: number): number[] {
  return Array.from(
    { length: (dayHours * hourMinutes) / everyMinutes },
    (_, at) => (at + 0.5) * everyMinutes,
  );
}

function movementOf({ plan, steps, workout, energy }: DayTruth) {
  const { chance } = plan;
  const metres = distancesOnFoot(plan, steps, workout).map((km) => km * metresPerKm);
  return {
    steps: seen(steps, 1 + 0.015 * chance.normal('watch|steps')),
    km: seen(metres, 1 + 0.03 * chance.normal('watch|distance')).map((share) => share / metresPerKm),
    active: shareOut(
      Math.round(energy.activeCalories * Math.max(0, 1.05 + 0.18 * chance.normal('watch|active_calories'))),
      energy.activeBySlot,
    ),
  };
}

function readOxygen({ vitals, plan: { chance } }: DayTruth, minute: number): number {
  return clamp(roundTo(vitals.bloodOxygen + 0.6 * chance.normal(`watch|blood_oxygen|${minute}`), 1), 80, 100);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Values as a device measures them, which add up to a whole number. */
function seen(values: readonly number[], factor: number): number[] {
  return shareOut(Math.round(sum(values) * Math.max(0, factor)), values);
}
