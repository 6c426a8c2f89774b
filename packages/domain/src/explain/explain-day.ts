import type { CandidateReason, Exclusion } from '@tributary/contract';
import type { Method, Metric } from '../catalog/metric.ts';
import { rankCandidates, type Candidate } from '../consolidate/consolidate-day.ts';
import type { Merged } from '../consolidate/merge-intervals.ts';
import { rankOf } from '../devices/rank.ts';
import { whyBehind } from './behind.ts';
import { amountWords, countWords, differenceWords, listWords, rankWords } from './words.ts';

/** What one device says, in millionths of the unit, and what people call the device. */
export interface DayCandidate extends Candidate {
  readonly label: string;
  /** Which setting leaves its provider out; null where none does. */
  readonly disabledBy: Exclusion | null;
  /** Whether it has samples of the day; asked for only where they are merged. */
  readonly hasSamples: boolean;
}

/** What became of one device's value. */
export interface Verdict {
  readonly outcome: 'won' | 'contributed' | 'lost';
  readonly reason: CandidateReason;
  readonly because: string;
  /** From 1; null for those that do not take part. */
  readonly position: number | null;
}

/** How a day was decided. */
export interface DayDecision {
  /** Another one than was asked for where there is nothing to merge. */
  readonly applied: Method;
  /** Devices that had a part, the best-ranked first. */
  readonly contributors: readonly number[];
  /** By number of the device. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

type Reasoned = Pick<Verdict, 'outcome' | 'reason' | 'because'>;
type Ranked = DayCandidate & { readonly rank: number };

/** Says of every device why its value counts or does not. `merged` is what merging gave, where that is the method. */
export function explainDay(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  merged: Merged | null,
): DayDecision {
  const applied = method === 'merge' && !merged ? (metric.defaultMethod ?? 'priority') : method;
  const ranked = rankCandidates(metric, candidates).map((one) => ({
    ...one,
    rank: rankOf(metric, one.device),
  }));
  const judge = judgeBy(metric, applied, ranked, merged);
  const verdicts = new Map<number, Verdict>();
  ranked.forEach((one, at) => verdicts.set(one.device.deviceNo, { ...judge(one), position: at + 1 }));
  for (const one of candidates) {
    if (!one.enabled) verdicts.set(one.device.deviceNo, { ...excluded(metric, one), position: null });
  }
  const contributors = ranked
    .map(({ device }) => device.deviceNo)
    .filter((deviceNo) => verdicts.get(deviceNo)!.outcome !== 'lost');
  return { applied, contributors, verdicts };
}

/** Says of every device that its value is not needed, because the day's value follows from others. */
export function explainUnused(metric: Metric, candidates: readonly DayCandidate[]): DayDecision {
  const because = `${metric.displayName} follows from other values of the day; what devices say of it is not used.`;
  const verdict: Verdict = { outcome: 'lost', reason: 'not_used_by_method', because, position: null };
  const verdicts = new Map(candidates.map(({ device }) => [device.deviceNo, verdict]));
  return { applied: 'priority', contributors: [], verdicts };
}

function judgeBy(
  metric: Metric,
  method: Method,
  ranked: readonly Ranked[],
  merged: Merged | null,
): (one: Ranked) => Reasoned {
  if (merged && method === 'merge') return judgeMerge(metric, ranked, merged);
  const best = ranked[0];
  const first = firstOfProviders(ranked);
  const speaking = method === 'priority' && best ? [best] : [...first.values()];
  const isAlone = ranked.length === 1;
  const largest = speaking.reduce((top, one) => (one.value > top.value ? one : top), speaking[0]!);
  return (one) => {
    const speaker = method === 'priority' ? best! : first.get(one.device.provider)!;
    if (one !== speaker) return behind(method, speaker, one);
    if (isAlone) return won('only_value', 'It is the only enabled device with a value for this day.');
    if (speaking.length === 1) {
      const because = `Of ${countWords(ranked.length, 'device')} it ranks first for ${metric.displayName}: a ${rankWords(one.device, one.rank)}.`;
      return won('best_rank', because);
    }
    if (method === 'max') {
      if (one !== largest) return smaller(metric, largest, one);
      const because = `${amountWords(metric, one.value)} is the largest value of ${countWords(speaking.length, 'provider')}.`;
      return won('largest_value', because);
    }
    const [reason, what] =
      method === 'avg' ? (['averaged', 'averaged'] as const) : (['added', 'added up'] as const);
    const because = `Its ${amountWords(metric, one.value)} is one of ${countWords(speaking.length, 'value')} that are ${what}.`;
    return { outcome: 'contributed', reason, because };
  };
}

/** The best-ranked device of each provider. */
function firstOfProviders(ranked: readonly Ranked[]): Map<string, Ranked> {
  const first = new Map<string, Ranked>();
  for (const one of ranked) if (!first.has(one.device.provider)) first.set(one.device.provider, one);
  return first;
}

function won(reason: CandidateReason, because: string): Reasoned {
  return { outcome: 'won', reason, because };
}

function behind(method: Method, better: Ranked, one: Ranked): Reasoned {
  const why = whyBehind(better, one)!;
  if (method === 'priority') return { outcome: 'lost', ...why };
  const because = `Under ${method} a provider has one voice, here that of ${better.label}. ${why.because}`;
  return { outcome: 'lost', reason: 'same_provider_better_device', because };
}

function smaller(metric: Metric, largest: Ranked, one: Ranked): Reasoned {
  if (one.value < largest.value) {
    const [own, most] = differenceWords(metric, one.value, largest.value);
    return {
      outcome: 'lost',
      reason: 'smaller_value',
      because: `${own} is less than ${most} from ${largest.label}.`,
    };
  }
  const why = whyBehind(largest, one)!;
  const because = `${amountWords(metric, one.value)} is as much as ${largest.label} has, which comes first. ${why.because}`;
  return { outcome: 'lost', reason: why.reason, because };
}

function judgeMerge(metric: Metric, ranked: readonly Ranked[], merged: Merged): (one: Ranked) => Reasoned {
  const parts = Map.groupBy(merged.intervals, ({ deviceNo }) => deviceNo);
  const isAlone = parts.size === 1;
  return (one) => {
    const own = parts.get(one.device.deviceNo);
    if (own) {
      const micros = own.reduce((sum, { value }) => sum + value, 0);
      const because = `It gives ${amountWords(metric, micros)} to the union, from ${countWords(own.length, 'stretch', 'stretches')} of time in which no better-ranked device counted.`;
      return { outcome: isAlone ? 'won' : 'contributed', reason: 'merged', because };
    }
    if (!one.hasSamples) {
      const because =
        'Merging takes samples, and this device has none of that day: only a value for the day as a whole.';
      return { outcome: 'lost', reason: 'no_samples', because };
    }
    const before = ranked.slice(0, ranked.indexOf(one)).filter(({ device }) => parts.has(device.deviceNo));
    const others = listWords(before.map(({ label }) => label));
    const because = `All of the time that it counted is covered by what ranks better: ${others}.`;
    return { outcome: 'lost', reason: 'covered', because };
  };
}

function excluded(metric: Metric, { device, disabledBy }: DayCandidate): Reasoned {
  const where = disabledBy === 'provider_everywhere' ? 'everywhere' : `for ${metric.displayName}`;
  const because = `The settings of this user leave ${device.provider} out ${where}.`;
  return { outcome: 'lost', reason: 'excluded', because };
}
