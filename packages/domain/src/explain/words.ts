import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { roundTo } from '../round.ts';
import { fromMicros } from '../samples/micros.ts';

/** A number as people read it: `8,420.5`. */
export function numberWords(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

/** A value with its unit, rounded as it is shown: `8,420` steps, `72.1 kg`. */
export function amountWords(metric: Metric, micros: number): string {
  return withUnit(metric, roundTo(fromMicros(micros), metric.precision));
}

/** Two values so that a difference between them shows: as they are shown, or with all digits where those are equal. */
export function differenceWords(metric: Metric, a: number, b: number): [string, string] {
  const [first, second] = [amountWords(metric, a), amountWords(metric, b)];
  if (first !== second) return [first, second];
  return [withUnit(metric, fromMicros(Math.round(a))), withUnit(metric, fromMicros(Math.round(b)))];
}

function withUnit({ unit }: Metric, value: number): string {
  return unit === 'count' ? numberWords(value) : `${numberWords(value)} ${unit}`;
}

/** `1 value`, `3 values`. */
export function countWords(count: number, one: string, several = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : several}`;
}

/** What a rank is about: the kind, and which way the data came. */
export function rankWords({ kind, onDevice }: Pick<DeviceFacts, 'kind' | 'onDevice'>, rank: number): string {
  const way = onDevice ? 'through the Mobile SDK' : 'of a cloud';
  const what = kind === 'other' ? 'device of another kind' : kind.replaceAll('_', ' ');
  return `${what} ${way} (rank ${rank})`;
}

/** An instant in UTC. */
export function instantWords(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

/** `a`, `a and b`, `a, b and c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
