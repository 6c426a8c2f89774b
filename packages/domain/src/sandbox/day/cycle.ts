import { clamp } from '../../clamp.ts';
import { uniform } from '../person/hashed-numbers.ts';
import type { Person } from '../person/person.ts';

const lutealDays = 14;
/** Days over which temperature and heart rate rise after ovulation, and fall at the end of the cycle. */
const changeDays = 2;

/** The average over a cycle of 28 days. */
export const meanLutealShare = (lutealDays - changeDays) / 28;

/** How much of the luteal phase shows on a day, from 0 to 1. Length and start of the cycle differ between people. */
export function lutealShare({ seed, archetype }: Person, index: number): number {
  const cycleDays = 26 + Math.floor(6 * uniform(`${seed}|${archetype}|cycle|days`));
  const firstDay = Math.floor(cycleDays * uniform(`${seed}|${archetype}|cycle|first`));
  const daysSinceOvulation = ((index + firstDay) % cycleDays) - (cycleDays - lutealDays);
  const rise = clamp(daysSinceOvulation / changeDays, 0, 1);
  return Math.min(rise, clamp((lutealDays - daysSinceOvulation) / changeDays, 0, 1));
}
