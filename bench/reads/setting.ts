import { median, type RawRequest, type Report, type RunStack } from '@tributary/rig';
import { estimateMedian, formatEstimate, pairedRatios } from '../compare/statistics.ts';
import type { Account } from './fill.ts';
import type { Person } from './people.ts';
import type { Served } from './served.ts';

/** Shared inputs of all parts of the reads benchmark. */
export interface Setting {
  short: boolean;
  rounds: number;
  seconds: number;
  poolSize: number;
  usersPerAccount: number;
  run: RunStack;
  accounts: readonly Account[];
  people: readonly Person[];
  /** Users with a month and with a week of heart rate. */
  withMonth: readonly Person[];
  withWeek: readonly Person[];
  api: Served;
  bare: Served;
  report: Report;
}

export { pairedRatios as ratios } from '../compare/statistics.ts';

/** The median and the range of the numbers. */
export function spread(numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Bounds the median of a ratio by the goal, or by `inShort` in the short run, which is too noisy for the goal. */
export function boundRatio(
  { report, short }: Setting,
  what: string,
  all: readonly number[],
  goal: number,
  inShort: number,
): void {
  const least = short ? inShort : goal;
  const shown = short ? `≥ ${least} (goal ${goal})` : `≥ ${goal}`;
  const { low, high } = estimateMedian([all]);
  const figure = `${spread(all)}, 95% interval ${low.toFixed(2)} to ${high.toFixed(2)}`;
  report.bound(what, figure, shown, median(all) >= least);
}

/** Reports the processor time of one kind of response as a ratio to another, over the rounds of both and without their warm-up. */
export function noteProcessorRatio(
  { report, rounds }: Setting,
  what: string,
  [ours, ourRequests]: readonly [Served, readonly RawRequest[]],
  [theirs, theirRequests]: readonly [Served, readonly RawRequest[]],
): void {
  const usedBy = (served: Served, requests: readonly RawRequest[]): number[] =>
    served.used.get(requests)!.slice(-rounds);
  const all = pairedRatios(usedBy(ours, ourRequests), usedBy(theirs, theirRequests));
  report.note(what, `${formatEstimate(estimateMedian([all]))}, 95% interval`);
}
