import { nightShiftHours } from '../day/steps.ts';
import { distancesOnFoot } from '../day/workout.ts';
import { recordOf, seriesOf, type Report, type ReportedDay } from './report.ts';
import { shareOut } from '../day/share-out.ts';
import { dayMinutes, slotMinutes } from '../day/slots.ts';
import type { DayTruth } from '../day/truth.ts';

/** Breakfast, lunch and dinner: the time of each and its share of the day's food. */
const mealMinutes = [8 * 60, 12 * 60 + 30, 19 * 60];
const mealShares = [25, 35, 40];
const glassMinutes = [9.5, 11.5, 13.5, 15.5, 17.5, 19.5].map((hour) => hour * 60);
const metresPerKm = 1000;

/** The phone counts steps while it is carried, and contains the food log. */
export function reportOfPhone({ truth, habits: { carried }, window }: ReportedDay): Report {
  const { plan, workout } = truth;
  const { chance } = plan;
  const steps = truth.steps.map((count, slot) => (carried[slot] ? count : 0));
  const stepsSeen = sum(steps) * (0.98 + 0.015 * chance.normal('phone|steps'));
  const distances = distancesOnFoot(plan, steps, workout);
  const metres = sum(distances) * metresPerKm * (0.98 + 0.03 * chance.normal('phone|distance'));
  const whileCarried = (values: readonly number[]) =>
    values.map((value, slot) => (carried[slot] ? value : null));
  const km = shareOut(Math.round(metres), distances).map((share) => share / metresPerKm);
  return {
    series: [
      ...seriesOf(window, 'steps', slotMinutes, whileCarried(shareOut(Math.round(stepsSeen), steps))),
      ...seriesOf(window, 'distance', slotMinutes, whileCarried(km)),
    ],
    daily: [],
    records: foodLog(truth).flatMap(({ metric, minute, value }) => recordOf(window, metric, minute, value)),
    sleep: [],
    workouts: [],
  };
}

interface Portion {
  readonly metric: string;
  readonly minute: number;
  readonly value: number;
}

/** Three meals and a few glasses of water that add up exactly to the day. */
function foodLog(truth: DayTruth): Portion[] {
  const { water, ...eaten } = truth.food;
  const meals = timesOfDay(truth, mealMinutes);
  const glasses = timesOfDay(truth, glassMinutes);
  const glassShares = glasses.map(() => 1);
  return [
    ...Object.entries(eaten).flatMap(([metric, amount]) => portionsOf(metric, amount, meals, mealShares)),
    ...portionsOf('water', water, glasses, glassShares),
  ];
}

function portionsOf(
  metric: string,
  amount: number,
  minutes: readonly number[],
  shares: readonly number[],
): Portion[] {
  return shareOut(amount, shares).map((value, at) => ({ metric, minute: minutes[at]!, value }));
}

/** Adapts usual minutes of the day to this day: later after night shifts, and never before the person is up. */
function timesOfDay({ plan, night }: DayTruth, usual: readonly number[]): number[] {
  const later = plan.shift === 'night' ? nightShiftHours * 60 : 0;
  return usual.map((minute, at) => {
    const wanted = (minute + later) % dayMinutes;
    return wanted < night.startMinute ? wanted : Math.max(wanted, night.endMinute + 20 + 30 * at);
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
