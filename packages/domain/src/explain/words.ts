import type { DeviceKind } from '@tributary/contract';
import type { Metric } from '../catalog/metric.ts';
import { minuteMs } from '../durations.ts';
import { roundTo } from '../round.ts';
import { fromMicros } from '../samples/micros.ts';

/** A number for display: `8,420.5`. */
export function numberWords(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

/** A value with its unit, rounded for display: `8,420` steps, `72.1 kg`, `medium`. */
export function amountWords(metric: Metric, micros: number): string {
  return withUnit(metric, roundTo(fromMicros(micros), metric.precision));
}

/** Two values with a visible difference: rounded for display, or with all digits if the rounded values are equal. */
export function differenceWords(metric: Metric, a: number, b: number): [string, string] {
  const [first, second] = [amountWords(metric, a), amountWords(metric, b)];
  if (first !== second) return [first, second];
  return [withUnit(metric, fromMicros(Math.round(a))), withUnit(metric, fromMicros(Math.round(b)))];
}

function withUnit({ unit, levels }: Metric, value: number): string {
  const level = levels?.find((one) => one.value === value);
  if (level) return level.name;
  return unit === 'count' ? numberWords(value) : `${numberWords(value)} ${unit}`;
}

/** `1 value`, `3 values`. */
export function countWords(count: number, one: string, several = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : several}`;
}

const kindPlurals: Readonly<Record<DeviceKind, string>> = {
  ring: 'rings',
  watch: 'watches',
  band: 'bands',
  chest_strap: 'chest straps',
  headband: 'headbands',
  bed_sensor: 'bed sensors',
  scale: 'scales',
  cgm: 'CGMs',
  meter: 'meters',
  bike_computer: 'bike computers',
  phone: 'phones',
  food_app: 'food apps',
  manual: 'manual entries',
  other: 'devices of unknown type',
};

/** All devices of a kind: `watches`. */
export function kindWords(kind: DeviceKind): string {
  return kindPlurals[kind];
}

const spelledNumbers = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** A count that starts a sentence: `One session`, `12 sessions`. */
export function startCountWords(count: number, one: string, several = `${one}s`): string {
  return `${spelledNumbers[count] ?? numberWords(count)} ${count === 1 ? one : several}`;
}

/** The name of a metric inside a sentence: `deep sleep`, but `REM sleep`. */
export function metricWords({ displayName }: Pick<Metric, 'displayName'>): string {
  const isAcronym = /^[A-Z][A-Z0-9]/.test(displayName);
  return isAcronym ? displayName : displayName.charAt(0).toLowerCase() + displayName.slice(1);
}

/** A length of time, rounded for display: `10 minutes`, `23 hours`. */
export function timeWords(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return countWords(Math.max(1, minutes), 'minute');
  return `${numberWords(Math.round(minutes / 6) / 10)} hours`;
}

/** Text that starts a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
