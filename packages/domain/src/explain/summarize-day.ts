import type { MissingReason } from '@tributary/contract';
import type { Metric } from '../catalog/metric.ts';
import type { DayDecision } from './explain-day.ts';
import { formulaOf } from './formulas.ts';
import { amountWords, countWords, listWords } from './words.ts';

/** What a summary speaks about. */
export interface DaySummary {
  readonly metric: Metric;
  readonly date: string;
  /** In millionths of the unit; null without a value. */
  readonly micros: number | null;
  readonly decision: DayDecision;
  /** How many devices have a value for the day, and how many of them take part. */
  readonly candidates: number;
  readonly enabled: number;
  /** What people call a device, by its number. */
  readonly labelOf: (deviceNo: number) => string;
  readonly missing: MissingReason | null;
  /** Whether a change is still being worked in. */
  readonly isPending: boolean;
}

/** The answer in a sentence or two. */
export function summarizeDay(summary: DaySummary): string {
  const sentences = [valueSentence(summary)];
  const { candidates, enabled } = summary;
  if (summary.micros !== null && candidates > enabled)
    sentences.push(
      `${countWords(candidates - enabled, 'device')} with a value ${candidates - enabled === 1 ? 'is' : 'are'} left out by the settings.`,
    );
  if (summary.isPending)
    sentences.push(
      'A change is still being worked in: the value is of before it, the reasons are of after it.',
    );
  return sentences.join(' ');
}

function valueSentence(summary: DaySummary): string {
  const { metric, date, micros } = summary;
  if (micros === null) return `${metric.displayName} has no value on ${date}: ${missingWords(summary)}.`;
  return `${metric.displayName} on ${date} is ${amountWords(metric, micros)}: ${originWords(summary)}.`;
}

function originWords({ metric, decision, enabled, labelOf }: DaySummary): string {
  const { applied, contributors } = decision;
  const formula = formulaOf(metric.no);
  const labels = contributors.map(labelOf);
  if (contributors.length === 0) return formula ?? 'it follows from other values';
  if (formula !== null) return `a part of ${formula} is missing, so that the total of ${labels[0]!} serves`;
  if (enabled === 1) return `${labels[0]!} is the only enabled device with a value`;
  const devices = countWords(enabled, 'device');
  switch (applied) {
    case 'priority':
      return `of ${devices} with a value, ${labels[0]!} ranks first`;
    case 'max':
      return `the largest value, from ${labels[0]!}, of ${devices} with one`;
    case 'avg':
      return `the mean of ${listWords(labels)}`;
    case 'sum':
      return `the sum of ${listWords(labels)}`;
    case 'merge':
      return `the union over time of ${listWords(labels)}`;
  }
}

function missingWords({ metric, candidates, missing }: DaySummary): string {
  const formula = formulaOf(metric.no);
  if (formula !== null) return `it would be ${formula}, and not all of that is known`;
  if (metric.defaultMethod === null) return 'this version of the service does not work it out';
  switch (missing) {
    case 'no_device':
      return 'no device is connected';
    case 'excluded':
      return candidates > 0
        ? `${countWords(candidates, 'device has a value, but its', 'devices have a value, but their')} provider is left out by the settings`
        : 'the settings leave out every provider that could tell it';
    case 'unsupported':
      return 'no connected device can tell it';
    case 'not_synced_yet':
      return 'no device that takes part has synced since that day began';
    case 'not_reported':
    case null:
      return 'no device reported it';
  }
}
