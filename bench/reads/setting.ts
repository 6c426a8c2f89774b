import { median, type Report, type RunStack } from '@tributary/rig';
import type { Account } from './fill.ts';
import type { Person } from './people.ts';
import type { Served } from './served.ts';

/** What every part of the reads bench works with. */
export interface Setting {
  short: boolean;
  rounds: number;
  seconds: number;
  poolSize: number;
  usersPerAccount: number;
  run: RunStack;
  accounts: readonly Account[];
  people: readonly Person[];
  /** People with heart rate: of a month, and of a week. */
  withMonth: readonly Person[];
  withWeek: readonly Person[];
  api: Served;
  bare: Served;
  report: Report;
}

export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((rate, at) => rate / theirs[at]!);
}

/** The median, and between what the numbers lie. */
export function spread(numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** A ratio whose median has to be at least the goal; in the short form, which is not quiet enough for it, `inShort`. */
export function boundRatio(
  { report, short }: Setting,
  what: string,
  all: readonly number[],
  goal: number,
  inShort: number,
): void {
  const least = short ? inShort : goal;
  const shown = short ? `≥ ${least} (goal ${goal})` : `≥ ${goal}`;
  report.bound(what, spread(all), shown, median(all) >= least);
}
