import type { MissingReason } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { dailyOfScores } from '../scores/score-day.ts';
import type { DayDecision } from './verdict.ts';
import { formulaOf } from './formulas.ts';
import { amountWords, countWords, listWords, metricWords } from './words.ts';

/** The facts of a summary. */
export interface DaySummary {
  readonly metric: Metric;
  readonly date: string;
  /** In millionths of the unit. Null if there is no value. */
  readonly micros: number | null;
  readonly decision: DayDecision;
  /** The number of devices with a value for the day, how many of them are enabled, and the number of their providers. */
  readonly candidates: number;
  readonly enabled: number;
  readonly providers: number;
  /** The label of a device by its number. */
  readonly labelOf: (deviceNo: number) => string;
  readonly missing: MissingReason | null;
  /** Whether the value predates a change that the decision already includes. */
  readonly isPending: boolean;
}

/** Explains a day's value, or why there is none, in a few sentences. */
export function summarizeDay(summary: DaySummary): string {
  const sentences = [valueSentence(summary)];
  const { candidates, enabled } = summary;
  if (summary.micros !== null && candidates > enabled)
    sentences.push(
      `This user's settings exclude ${countWords(candidates - enabled, 'device')} that reported a value.`,
    );
  if (summary.isPending)
    sentences.push(
      'Recalculating. The result predates the latest change. The explanation already includes it.',
    );
  return sentences.join(' ');
}

function valueSentence(summary: DaySummary): string {
  const { metric, date, micros } = summary;
  if (micros === null) return `No value for ${metricWords(metric)} on ${date}: ${missingWords(summary)}.`;
  return `${metric.displayName} on ${date}: ${amountWords(metric, micros)}, ${originWords(summary)}.`;
}

function originWords({ metric, decision, enabled, providers, labelOf }: DaySummary): string {
  const { applied, contributors, basis, verdicts } = decision;
  const labels = contributors.map(labelOf);
  if (contributors.length === 0) return computedWords(metric);
  const formula = metric.defaultMethod === null ? formulaOf(metric.no) : null;
  if (formula !== null) return `the total from ${labels[0]!}, because part of ${formula} is missing`;
  if (basis === 'sessions') return `from the sessions shown for this day, recorded by ${listWords(labels)}`;
  if (enabled === 1) return `from ${labels[0]!}, the only enabled device with a value`;
  if (basis === 'measurement') return `from ${labels[0]!}, like all values of this measurement`;
  const isMerged =
    contributors.length > 1 && (applied === 'max' || applied === 'priority' || providers === 1);
  if (isMerged) return `merged over time from ${listWords(labels)}`;
  if (applied === 'priority' || (applied === 'avg' && contributors.length === 1)) {
    const hasPassed = [...verdicts.values()].some(({ reason }) => reason === 'low_coverage');
    return hasPassed
      ? `from ${labels[0]!}, which ranks highest of those that observed enough of the day`
      : `from ${labels[0]!}, which ranks highest of ${countWords(enabled, 'device')} with a value`;
  }
  switch (applied) {
    case 'max':
      return `the highest value of ${countWords(enabled, 'device')}, from ${labels[0]!}`;
    case 'avg':
      return `the average of the values from ${listWords(labels)}`;
    case 'sum':
      return `the sum of the values from ${listWords(labels)}`;
    case 'merge':
      return `merged over time from ${listWords(labels)}`;
  }
}

/** The origin of a value that no device reported. */
function computedWords(metric: Metric): string {
  const formula = formulaOf(metric.no);
  if (formula !== null) return `computed as ${formula}`;
  // A reported metric has a value without contributors only until it is recomputed.
  if (metric.defaultMethod !== null) return 'which no connected and enabled device reports anymore';
  return metric.origin === 'score'
    ? 'computed from other values'
    : `computed with the ${scoreOf(metric)} score`;
}

/** The score that a daily value is computed with, such as `strain`, or the score itself. */
function scoreOf({ id }: Metric): string {
  return metricWords(findMetric(dailyOfScores[id] ?? id)!);
}

function missingWords({ metric, candidates, missing }: DaySummary): string {
  const formula = formulaOf(metric.no);
  if (formula !== null && missing === 'implausible')
    return `it is computed as ${formula}, and the result is outside the plausible range`;
  if (formula !== null && metric.defaultMethod === null)
    return `it is computed as ${formula}, and not all inputs are available`;
  if (formula !== null && candidates === 0)
    return `no device reported it, and not all inputs of ${formula} are available`;
  if (metric.defaultMethod === null) {
    const score = scoreOf(metric);
    return metric.origin === 'score'
      ? `not all inputs of the ${score} score are available`
      : `it is computed with the ${score} score, and not all inputs are available`;
  }
  switch (missing) {
    case 'no_device':
      return 'no device is connected';
    case 'excluded':
      if (candidates === 0) return "this user's settings exclude every provider that could report it";
      return candidates === 1
        ? "1 device has a value, but this user's settings exclude its provider"
        : `${countWords(candidates, 'device')} have a value, but this user's settings exclude the provider of each`;
    case 'unsupported':
      return 'no connected device can report it';
    case 'not_synced_yet':
      return 'no enabled device has synced since that day began';
    case 'not_reported':
    case 'implausible':
    case null:
      return candidates > 0
        ? 'the device that the other values of this measurement come from did not report it'
        : 'no device reported it';
  }
}
