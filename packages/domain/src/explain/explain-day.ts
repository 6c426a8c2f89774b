import type { CandidateReason } from '@tributary/contract';
import type { Method, Metric } from '../catalog/metric.ts';
import {
  eligible,
  firstOfProviders,
  largestOf,
  optionsOf,
  partsOfSum,
  unionOf,
  type Option,
} from '../consolidate/consolidate-day.ts';
import { rankCandidates, type Consolidated } from '../consolidate/rank-candidates.ts';
import { rankOf } from '../devices/rank.ts';
import { explainPieces } from './explain-pieces.ts';
import type { DayCandidate, DayDecision, RankedCandidate, Reasoned, Verdict } from './verdict.ts';
import { whyLowerRank } from './why-lower-rank.ts';
import { amountWords, countWords, differenceWords, listWords, metricWords, timeWords } from './words.ts';

/** What coverage is a share of: the local day, or the longest night that a device recorded. */
interface ComparedPeriod {
  readonly name: 'day' | 'night';
  readonly lengthMs: number;
}

/** What restricts the choice between devices. */
export interface DayChoice {
  readonly period: ComparedPeriod;
  /** The device that all metrics of a measurement come from. Null if the metric may come from any device. */
  readonly measuredBy: { readonly deviceNo: number; readonly label: string } | null;
  /** The devices whose shown sessions give the value. Null if it does not come from sessions. */
  readonly sessionsOf: readonly number[] | null;
}

/** Explains for each device why its value is used or not. */
export function explainDay(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  choice: DayChoice,
): DayDecision {
  const ranked = rankCandidates(metric, candidates)
    .filter((one) => choice.sessionsOf !== null || !(one.isOfOtherSessions || one.isIncomplete))
    .map((one) => ({ ...one, rank: rankOf(metric, one.device) }));
  const explainCandidate = createExplainer(metric, method, ranked, choice);
  const verdicts = new Map<number, Verdict>();
  ranked.forEach((one, at) =>
    verdicts.set(one.device.deviceNo, { ...explainCandidate(one), position: at + 1 }),
  );
  for (const one of candidates) {
    const { deviceNo } = one.device;
    if (!one.enabled) verdicts.set(deviceNo, { ...excluded(metric, one), position: null });
    else if (!verdicts.has(deviceNo)) {
      const reasoned = one.isOfOtherSessions ? otherSessions(metric) : incomplete();
      verdicts.set(deviceNo, { ...reasoned, position: null });
    }
  }
  const used = ranked
    .map(({ device }) => device.deviceNo)
    .filter((deviceNo) => verdicts.get(deviceNo)!.outcome !== 'lost');
  const basis = choice.sessionsOf
    ? 'sessions'
    : choice.measuredBy && method === 'priority'
      ? 'measurement'
      : null;
  return { applied: method, contributors: choice.sessionsOf ?? used, basis, verdicts };
}

/** Explains for each device that its value is not used, because the day's value is computed from other metrics. */
export function explainUnused(metric: Metric, candidates: readonly DayCandidate[]): DayDecision {
  const because = `Not used: ${metricWords(metric)} is computed from other values.`;
  const verdict: Verdict = { outcome: 'lost', reason: 'not_used_by_method', because, position: null };
  const verdicts = new Map(candidates.map(({ device }) => [device.deviceNo, verdict]));
  return { applied: 'priority', contributors: [], basis: null, verdicts };
}

type Explainer = (one: RankedCandidate) => Reasoned;

function createExplainer(
  metric: Metric,
  method: Method,
  ranked: readonly RankedCandidate[],
  choice: DayChoice,
): Explainer {
  const { measuredBy, sessionsOf } = choice;
  if (ranked.length === 0) return () => won('only_value', '');
  if (sessionsOf) return (one) => ofSessions(metric, sessionsOf, one);
  if (method === 'priority' && measuredBy) return (one) => ofMeasurement(metric, measuredBy, ranked, one);
  if (method === 'merge') {
    const merged = unionOf(metric, ranked);
    return (one) => explainPieces(metric, ranked, merged, one);
  }
  const options = optionsOf(metric, ranked);
  const context = { metric, method, ranked, options, period: choice.period };
  if (method === 'max') return (one) => ofMax(context, one);
  return (one) => ofParts(context, one);
}

type OptionOfRanked = Option<RankedCandidate>;

interface Compared {
  readonly metric: Metric;
  readonly method: Method;
  readonly ranked: readonly RankedCandidate[];
  readonly options: readonly OptionOfRanked[];
  readonly period: ComparedPeriod;
}

/** For `priority`, `avg` and `sum`: coverage, then rank, then what the method does with the rest. */
function ofParts({ metric, method, ranked, options, period }: Compared, one: RankedCandidate): Reasoned {
  const own = options.find(({ members }) => members.includes(one))!;
  const parts = partsOf(method, options);
  if (parts.includes(own)) {
    if (own.members.length > 1) {
      const reasoned = explainPieces(metric, own.members, own, one);
      const isShared = parts.length > 1 && reasoned.outcome === 'won';
      return isShared ? { ...reasoned, outcome: 'contributed' } : reasoned;
    }
    if (parts.length > 1) return ofSeveral(metric, method, parts.length, one);
    return ofWinner(metric, ranked, options, own, period);
  }
  const compared = method === 'sum' ? options.filter(({ provider }) => provider === own.provider) : options;
  if (!eligible(compared).includes(own)) return lowCoverage(compared, own, period);
  // A device that observed little does not give its store its rank.
  if (compared.some(({ coverage }) => one.coverage * 2 < coverage)) return lowCoverage(compared, one, period);
  const better = parts.find(({ provider }) => method === 'priority' || provider === own.provider)!;
  return behind(metric, method, better, one);
}

function partsOf(method: Method, options: readonly OptionOfRanked[]): OptionOfRanked[] {
  if (method === 'sum') return partsOfSum(options);
  return method === 'avg' ? firstOfProviders(eligible(options)) : eligible(options).slice(0, 1);
}

/** For `max`: the largest value of any provider or device. */
function ofMax({ metric, ranked, options }: Compared, one: RankedCandidate): Reasoned {
  const largest = largestOf(options);
  const store = options.find(
    ({ contributors, members }) => members.length > 1 && isSame(contributors, largest),
  );
  if (store?.members.includes(one)) return explainPieces(metric, store.members, store, one);
  if (ranked.length === 1) return onlyValue();
  if (largest.contributors.includes(one.device.deviceNo)) {
    const because = `Used: ${amountWords(metric, one.value)} is the highest value of ${countWords(ranked.length, 'device')}.`;
    return won('largest_value', because);
  }
  return smaller(metric, largest, ranked, one);
}

function isSame(contributors: readonly number[], largest: Consolidated): boolean {
  return contributors.join() === largest.contributors.join();
}

function ofWinner(
  metric: Metric,
  ranked: readonly RankedCandidate[],
  options: readonly OptionOfRanked[],
  own: OptionOfRanked,
  { name }: ComparedPeriod,
): Reasoned {
  if (ranked.length === 1) return onlyValue();
  const compared = eligible(options).length;
  const passed = options.indexOf(own) > 0;
  const because = passed
    ? `Used: it ranks highest of the devices that observed enough of the ${name}.`
    : `Used: it ranks highest of ${countWords(compared, 'device')} for ${metricWords(metric)}.`;
  return won(
    'best_rank',
    compared === 1 && !passed ? `Used: it ranks highest, and others observed less of the ${name}.` : because,
  );
}

function ofSeveral(metric: Metric, method: Method, parts: number, one: RankedCandidate): Reasoned {
  const [reason, what] = method === 'avg' ? (['averaged', 'average'] as const) : (['added', 'sum'] as const);
  const because = `Used: ${amountWords(metric, one.value)} is one of ${countWords(parts, 'value')} in the ${what}.`;
  return { outcome: 'contributed', reason, because };
}

/** The metrics of one measurement come from one device. */
function ofMeasurement(
  metric: Metric,
  measuredBy: NonNullable<DayChoice['measuredBy']>,
  ranked: readonly RankedCandidate[],
  one: RankedCandidate,
): Reasoned {
  if (one.device.deviceNo === measuredBy.deviceNo) {
    if (ranked.length === 1) return onlyValue();
    return won('best_rank', `Used: all values of this measurement come from this device.`);
  }
  const because = `Not used: all values of one measurement come from one device, here ${measuredBy.label}.`;
  return { outcome: 'lost', reason: 'other_measurement', because };
}

/** The value comes from the sessions that are shown for the day. */
function ofSessions(metric: Metric, devices: readonly number[], one: RankedCandidate): Reasoned {
  if (devices.includes(one.device.deviceNo)) {
    const because = `Used: ${metricWords(metric)} comes from the sessions shown for this day, which this device recorded.`;
    return { outcome: devices.length > 1 ? 'contributed' : 'won', reason: 'sessions', because };
  }
  return otherSessions(metric);
}

function otherSessions(metric: Metric): Reasoned {
  const because = `Not used: ${metricWords(metric)} comes from the sessions shown for this day, and none of them is from this device.`;
  return { outcome: 'lost', reason: 'other_sessions', because };
}

function incomplete(): Reasoned {
  const because = 'Not used: it has only a part of this measurement, and other devices have a complete one.';
  return { outcome: 'lost', reason: 'other_measurement', because };
}

function onlyValue(): Reasoned {
  return won('only_value', 'Used: it is the only enabled device with a value for this day.');
}

function won(reason: CandidateReason, because: string): Reasoned {
  return { outcome: 'won', reason, because };
}

function lowCoverage(
  compared: readonly OptionOfRanked[],
  own: { readonly coverage: number },
  { name, lengthMs }: ComparedPeriod,
): Reasoned {
  const most = compared.reduce((top, one) => (one.coverage > top.coverage ? one : top));
  const labels = listWords(most.members.map(({ label }) => label));
  const because =
    own.coverage === 0
      ? 'Not used: it counted nothing, and there is no sign that it was worn on this day.'
      : `Not used: it covers ${timeWords(own.coverage * lengthMs)} of the ${name}, and ${labels} ${most.members.length > 1 ? 'cover' : 'covers'} ${timeWords(most.coverage * lengthMs)}.`;
  return { outcome: 'lost', reason: 'low_coverage', because };
}

function behind(
  metric: Metric,
  method: Method,
  { leader: better }: OptionOfRanked,
  one: RankedCandidate,
): Reasoned {
  const { reason, predicate } = whyLowerRank(better, one, metricWords(metric))!;
  if (method === 'priority')
    return { outcome: 'lost', reason, because: `Not used: ${better.label} ${predicate}` };
  const because = `Not used: ${method} uses one value per provider, and ${better.label} ${predicate}`;
  return { outcome: 'lost', reason: 'same_provider_better_device', because };
}

function smaller(
  metric: Metric,
  largest: Consolidated,
  ranked: readonly RankedCandidate[],
  one: RankedCandidate,
): Reasoned {
  const winners = ranked.filter(({ device }) => largest.contributors.includes(device.deviceNo));
  const labels = listWords(winners.map(({ label }) => label));
  if (one.value < largest.value) {
    const [own, most] = differenceWords(metric, one.value, largest.value);
    const because = `Not used: ${own} is less than ${most} from ${labels}.`;
    return { outcome: 'lost', reason: 'smaller_value', because };
  }
  // A health store has the rank of its best device, even if the value is another one's.
  const best = ranked.find(({ device }) => device.provider === winners[0]!.device.provider)!;
  const topic = metricWords(metric);
  const { reason, predicate } = (whyLowerRank(winners[0]!, one, topic) ?? whyLowerRank(best, one, topic))!;
  const because = `Not used: ${labels} also reported ${amountWords(metric, one.value)} and ${predicate}`;
  return { outcome: 'lost', reason, because };
}

function excluded(metric: Metric, { device, disabledBy }: DayCandidate): Reasoned {
  const where = disabledBy === 'provider_everywhere' ? 'everywhere' : `for ${metricWords(metric)}`;
  const because = `Not used: this user's settings exclude ${device.provider} ${where}.`;
  return { outcome: 'lost', reason: 'excluded', because };
}
