import type { EventWire } from '@tributary/contract';
import { shortDay } from '../../words/time.ts';

const mostNamed = 3;

/** A short summary of an event, or null if its type says everything. */
export function sayEvent({ metrics, data }: EventWire): string | null {
  const parts = [sayMetrics(metrics), data.provider ?? null, sayDays(data.first_date, data.last_date)];
  if (data.change === 'deleted') parts.push('deleted');
  if (data.backfill) parts.push('history');
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join(' · ');
}

function sayMetrics(metrics: readonly string[]): string | null {
  if (metrics.length === 0) return null;
  const named = metrics.slice(0, mostNamed).join(', ');
  return metrics.length > mostNamed ? `${named} and ${metrics.length - mostNamed} more` : named;
}

function sayDays(first: string | undefined, last: string | undefined): string | null {
  if (!first || !last) return null;
  return first === last ? say(first) : `${say(first)} – ${say(last)}`;
}

/** Calendar days have no time zone. */
function say(date: string): string {
  return shortDay(date, { timeZone: 'UTC' });
}
