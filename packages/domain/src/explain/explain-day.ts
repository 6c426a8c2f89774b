import type { CandidateReason, Exclusion } from '@tributary/contract';
import type { Method, Metric } from '../catalog/metric.ts';
import { rankCandidates, type Candidate } from '../consolidate/consolidate-day.ts';
import type { Merged } from '../consolidate/merge-intervals.ts';
import { rankOf } from '../devices/rank.ts';
import { whyLowerRank } from './why-lower-rank.ts';
import { amountWords, countWords, differenceWords, listWords, metricWords } from './words.ts';

/** A reported value in millionths of the unit, with the label of its device. */
export interface DayCandidate extends Candidate {
  readonly label: string;
  /** The setting that excludes its provider. Null if none does. */
  readonly disabledBy: Exclusion | null;
  /** Whether the device has samples for the day. Loaded only if the method is `merge`. */
  readonly hasSamples: boolean;
}

/** The outcome for one device's value. */
export interface Verdict {
  readonly outcome: 'won' | 'contributed' | 'lost';
  readonly reason: CandidateReason;
  readonly because: string;
  /** From 1. Null for disabled devices. */
  readonly position: number | null;
}

/** How a day's value was chosen. */
export interface DayDecision {
  /** Differs from the configured method if there is nothing to merge. */
  readonly applied: Method;
  /** Contributing devices, highest-ranked first. */
  readonly contributors: readonly number[];
  /** By device number. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

type Reasoned = Pick<Verdict, 'outcome' | 'reason' | 'because'>;
type Ranked = DayCandidate & { readonly rank: number };

/** Explains for each device why its value is used or not. `merged` is the result of merging, if that is the method. */
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
  const explainCandidate = createExplainer(metric, applied, ranked, merged);
  const verdicts = new Map<number, Verdict>();
  ranked.forEach((one, at) =>
    verdicts.set(one.device.deviceNo, { ...explainCandidate(one), position: at + 1 }),
  );
  for (const one of candidates) {
    if (!one.enabled) verdicts.set(one.device.deviceNo, { ...excluded(metric, one), position: null });
  }
  const contributors = ranked
    .map(({ device }) => device.deviceNo)
    .filter((deviceNo) => verdicts.get(deviceNo)!.outcome !== 'lost');
  return { applied, contributors, verdicts };
}

/** Explains for each device that its value is not used, because the day's value is computed from other metrics. */
export function explainUnused(metric: Metric, candidates: readonly DayCandidate[]): DayDecision {
  const because = `Not used: ${metricWords(metric)} is computed from other values.`;
  const verdict: Verdict = { outcome: 'lost', reason: 'not_used_by_method', because, position: null };
  const verdicts = new Map(candidates.map(({ device }) => [device.deviceNo, verdict]));
  return { applied: 'priority', contributors: [], verdicts };
}

function createExplainer(
  metric: Metric,
  method: Method,
  ranked: readonly Ranked[],
  merged: Merged | null,
): (one: Ranked) => Reasoned {
  if (merged && method === 'merge') return createMergeExplainer(metric, ranked, merged);
  const best = ranked[0];
  const first = firstOfProviders(ranked);
  const speaking = method === 'priority' && best ? [best] : [...first.values()];
  const isOnlyDevice = ranked.length === 1;
  const largest = speaking.reduce((top, one) => (one.value > top.value ? one : top), speaking[0]!);
  return (one) => {
    const speaker = method === 'priority' ? best! : first.get(one.device.provider)!;
    if (one !== speaker) return behind(metric, method, speaker, one);
    if (isOnlyDevice)
      return won('only_value', 'Used: it is the only enabled device with a value for this day.');
    if (speaking.length === 1) {
      const because = `Used: it ranks highest of ${countWords(ranked.length, 'device')} for ${metricWords(metric)}.`;
      return won('best_rank', because);
    }
    if (method === 'max') {
      if (one !== largest) return smaller(metric, largest, one);
      const because = `Used: ${amountWords(metric, one.value)} is the highest value of ${countWords(speaking.length, 'provider')}.`;
      return won('largest_value', because);
    }
    const [reason, what] =
      method === 'avg' ? (['averaged', 'average'] as const) : (['added', 'sum'] as const);
    const because = `Used: ${amountWords(metric, one.value)} is one of ${countWords(speaking.length, 'value')} in the ${what}.`;
    return { outcome: 'contributed', reason, because };
  };
}

/** The highest-ranked device of each provider. */
function firstOfProviders(ranked: readonly Ranked[]): Map<string, Ranked> {
  const first = new Map<string, Ranked>();
  for (const one of ranked) if (!first.has(one.device.provider)) first.set(one.device.provider, one);
  return first;
}

function won(reason: CandidateReason, because: string): Reasoned {
  return { outcome: 'won', reason, because };
}

function behind(metric: Metric, method: Method, better: Ranked, one: Ranked): Reasoned {
  const { reason, predicate } = whyLowerRank(better, one, metricWords(metric))!;
  if (method === 'priority')
    return { outcome: 'lost', reason, because: `Not used: ${better.label} ${predicate}` };
  const because = `Not used: ${method} uses one value per provider, and ${better.label} ${predicate}`;
  return { outcome: 'lost', reason: 'same_provider_better_device', because };
}

function smaller(metric: Metric, largest: Ranked, one: Ranked): Reasoned {
  if (one.value < largest.value) {
    const [own, most] = differenceWords(metric, one.value, largest.value);
    return {
      outcome: 'lost',
      reason: 'smaller_value',
      because: `Not used: ${own} is less than ${most} from ${largest.label}.`,
    };
  }
  const { reason, predicate } = whyLowerRank(largest, one, metricWords(metric))!;
  const because = `Not used: ${largest.label} also reported ${amountWords(metric, one.value)} and ${predicate}`;
  return { outcome: 'lost', reason, because };
}

function createMergeExplainer(
  metric: Metric,
  ranked: readonly Ranked[],
  merged: Merged,
): (one: Ranked) => Reasoned {
  const parts = Map.groupBy(merged.intervals, ({ deviceNo }) => deviceNo);
  const isOnlyDevice = parts.size === 1;
  return (one) => {
    const own = parts.get(one.device.deviceNo);
    if (own) {
      const micros = own.reduce((sum, { value }) => sum + value, 0);
      const because = `Used: it contributes ${amountWords(metric, micros)} from ${countWords(own.length, 'interval')} that no higher-ranked device covers.`;
      return { outcome: isOnlyDevice ? 'won' : 'contributed', reason: 'merged', because };
    }
    if (!one.hasSamples) {
      const because = 'Not used: merging needs samples, and this device has only a value for the whole day.';
      return { outcome: 'lost', reason: 'no_samples', because };
    }
    const before = ranked.slice(0, ranked.indexOf(one)).filter(({ device }) => parts.has(device.deviceNo));
    const others = listWords(before.map(({ label }) => label));
    const verbs = before.length === 1 ? 'ranks higher and covers' : 'rank higher and cover';
    const because = `Not used: ${others} ${verbs} all of its intervals.`;
    return { outcome: 'lost', reason: 'covered', because };
  };
}

function excluded(metric: Metric, { device, disabledBy }: DayCandidate): Reasoned {
  const where = disabledBy === 'provider_everywhere' ? 'everywhere' : `for ${metricWords(metric)}`;
  const because = `Not used: this user's settings exclude ${device.provider} ${where}.`;
  return { outcome: 'lost', reason: 'excluded', because };
}
