import type { Metric } from '../catalog/metric.ts';
import type { Merged } from '../consolidate/merge-intervals.ts';
import type { Consolidated } from '../consolidate/rank-candidates.ts';
import type { RankedCandidate, Reasoned } from './verdict.ts';
import { amountWords, countWords, differenceWords, listWords } from './words.ts';

/** Explains the part of a device in a value that was merged over time from several devices. */
export function explainPieces(
  metric: Metric,
  ranked: readonly RankedCandidate[],
  { merged, contributors, value }: Consolidated & { readonly merged: Merged | null },
  one: RankedCandidate,
): Reasoned {
  const { deviceNo } = one.device;
  const isTotal = merged === null || value !== merged.value;
  if (isTotal) {
    if (contributors.includes(deviceNo)) {
      const because = merged
        ? `Used: its total for the day, ${amountWords(metric, value)}, is more than all intervals together.`
        : `Used: its total for the day, ${amountWords(metric, value)}, is the highest.`;
      return { outcome: 'won', reason: 'largest_value', because };
    }
    const [own, most] = differenceWords(metric, one.value, value);
    const top = ranked.find(({ device }) => contributors.includes(device.deviceNo))!;
    return { outcome: 'lost', reason: 'smaller_value', because: smallerWords(one, value, own, most, top) };
  }
  const parts = Map.groupBy(merged.intervals, (interval) => interval.deviceNo);
  const own = parts.get(deviceNo);
  if (own && contributors.includes(deviceNo)) {
    const micros = own.reduce((sum, interval) => sum + interval.value, 0);
    const because = `Used: it contributes ${amountWords(metric, micros)} from ${countWords(own.length, 'interval')} that no higher-ranked device covers.`;
    return { outcome: contributors.length === 1 ? 'won' : 'contributed', reason: 'merged', because };
  }
  if (one.intervals.length === 0) {
    const because = 'Not used: merging needs samples, and this device has only a value for the whole day.';
    return { outcome: 'lost', reason: 'no_samples', because };
  }
  if (one.intervals.every((interval) => interval.value === 0))
    return { outcome: 'lost', reason: 'covered', because: 'Not used: it counted nothing on this day.' };
  const before = ranked
    .slice(0, ranked.indexOf(one))
    .filter(({ device }) => contributors.includes(device.deviceNo));
  const others = listWords(before.map(({ label }) => label));
  const verbs = before.length === 1 ? 'ranks higher and covers' : 'rank higher and cover';
  const because = `Not used: ${others} ${verbs} all of its intervals.`;
  return { outcome: 'lost', reason: 'covered', because };
}

function smallerWords(
  one: RankedCandidate,
  value: number,
  own: string,
  most: string,
  top: RankedCandidate,
): string {
  if (one.value < value) return `Not used: ${own} is less than ${most} from ${top.label}.`;
  return one.value === value
    ? `Not used: ${top.label} also reported ${most} and ranks higher.`
    : `Not used: its intervals overlap, and without repetition they are less than ${most} from ${top.label}.`;
}
