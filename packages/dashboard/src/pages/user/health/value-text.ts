import type { CatalogMetricWire } from '@tributary/contract';
import { duration } from '../../../words/time.ts';

export interface ValueText {
  text: string;
  unit: string;
}

/** Metrics in minutes from midnight, shown as clock times. */
const clockMetrics = new Set(['bedtime', 'wake_time', 'sleep_midpoint']);
const noUnits = new Set(['count', 'score', 'index']);

/** Formats a value, with its unit separate. */
export function valueText(
  value: number,
  unit: string,
  metric?: Pick<CatalogMetricWire, 'id' | 'precision'> & Partial<Pick<CatalogMetricWire, 'levels'>>,
): ValueText {
  const level = metric?.levels?.find((one) => one.value === value);
  if (level) return { text: level.name, unit: '' };
  if (metric && clockMetrics.has(metric.id)) return { text: clock(value), unit: '' };
  if (unit === 'min') return { text: duration(value), unit: '' };
  const text = numberFormat(metric?.precision ?? (unit === 'score' ? 0 : 1)).format(value);
  return { text, unit: noUnits.has(unit) ? '' : unit };
}

const formats = new Map<number, Intl.NumberFormat>();

/** Cached, because creating a formatter costs more than using it a thousand times. */
function numberFormat(maximumFractionDigits: number): Intl.NumberFormat {
  const known = formats.get(maximumFractionDigits) ?? new Intl.NumberFormat('en', { maximumFractionDigits });
  formats.set(maximumFractionDigits, known);
  return known;
}

/** Formats a value and its unit as one text. */
export function formatValue(value: number, unit: string, metric?: CatalogMetricWire): string {
  const { text, unit: shown } = valueText(value, unit, metric);
  return shown === '' ? text : `${text} ${shown}`;
}

/** Times before midnight are negative. */
function clock(minutes: number): string {
  const whole = (Math.round(minutes) + 2_880) % 1_440;
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}

/** "Heart rate zones" for "heart_rate_zones". */
export function words(id: string): string {
  const text = inWords(id);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The same for the middle of a sentence. */
export function inWords(id: string): string {
  return id.replaceAll('_', ' ').replace(/\bhrv\b/, 'HRV');
}

const missing: Record<string, string> = {
  not_reported: 'No device reported it for this day',
  unsupported: 'None of the connected devices measures it',
  no_device: 'No device was connected',
  not_synced_yet: 'The day has not been synced yet',
  excluded: 'The settings exclude every device that reports it',
  implausible: 'The values it is computed from do not fit together',
};

/** Explains why there is no value. */
export function describeMissing(reason: string | null | undefined): string {
  return missing[reason ?? ''] ?? 'No data for this day';
}
