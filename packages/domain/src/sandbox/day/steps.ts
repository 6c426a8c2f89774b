import type { DayPlan } from './plan.ts';
import { isAsleep, type Night } from './night.ts';

const slotsPerHour = 12;
/** Two steps per second. */
const mostStepsPerSlot = 600;
/** Activity by hour: commutes and noon on weekdays, a broad plateau on weekends (Ang 2024). */
const weekday = [
  0, 0, 0, 0, 0, 0.3, 1.6, 4, 9, 5, 4, 4.5, 7.5, 6, 4, 4, 5, 8.5, 9, 6.5, 5, 4, 2, 0.6,
] as const;
const weekend = [
  0.2, 0.1, 0, 0, 0, 0.1, 0.4, 1.5, 3.5, 6, 8, 9, 8.5, 7.5, 7.5, 8, 8, 7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 1.2,
] as const;
/** How much later the day of a night-shift worker is. */
export const nightShiftHours = 9;

/** Steps of a day in five-minute slots, without those of its workout. */
export function stepsOf({ traits, chance, ...plan }: DayPlan, night: Night): number[] {
  const profile = plan.isWeekend || plan.shift === 'off' ? weekend : weekday;
  const laterHours = plan.shift === 'night' ? nightShiftHours : 0;
  const weights = profile.map((_, hour) => {
    const usual = profile[(hour - laterHours + 24) % 24]!;
    const awake = isAsleep(night, hour * 60 + 30) ? 0.02 : 1;
    return usual * Math.exp(0.35 * chance.normal(`hour|${hour}`)) * awake;
  });
  const usualSteps = plan.isWeekend ? traits.weekendSteps : traits.weekdaySteps;
  const { stepsSpread } = traits;
  const luck = Math.exp(stepsSpread * chance.normal('steps') - stepsSpread ** 2 / 2);
  const total = usualSteps * luck * (plan.isIll ? 0.4 : 1);
  const all = sum(weights);
  return weights.flatMap((weight, hour) => {
    const inHour = Math.min(Math.round((total * weight) / all), slotsPerHour * mostStepsPerSlot);
    // The tenth power concentrates the steps of an hour in a few bouts.
    const bouts = Array.from(
      { length: slotsPerHour },
      (_, slot) => chance.uniform(`bout|${slotsPerHour * hour + slot}`) ** 10,
    );
    return spreadOver(bouts, inHour);
  });
}

/** Distributes the steps of an hour over its slots. Steps beyond the fastest pace move to the next most active slot. */
function spreadOver(bouts: readonly number[], steps: number): number[] {
  const all = sum(bouts);
  const slots = bouts.map((bout) => Math.min(mostStepsPerSlot, Math.floor((steps * bout) / all)));
  let rest = steps - sum(slots);
  const liveliestFirst = bouts.map((_, slot) => slot).sort((a, b) => bouts[b]! - bouts[a]! || a - b);
  for (const slot of liveliestFirst) {
    const more = Math.min(mostStepsPerSlot - slots[slot]!, rest);
    slots[slot]! += more;
    rest -= more;
  }
  return slots;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
