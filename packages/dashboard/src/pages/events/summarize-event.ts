import type { EventWire } from '@tributary/contract';
import { shortDay } from '../../words/time.ts';

const mostNamed = 3;

/** A short summary of an event, or null if its type says everything. */
export function summarizeEvent({ metrics, data }: EventWire): string | null {
  const parts = [
    describeMetrics(metrics),
    data.provider ?? null,
    formatDays(data.first_date, data.last_date),
  ];
  if (data.change === 'deleted') parts.push('deleted');
  if (data.backfill) parts.push('history');
  const summaryParts = parts.filter((part) => part !== null);
  return summaryParts.length === 0 ? null : summaryParts.join(' · ');
}

function describeMetrics(metrics: readonly string[]): string | null {
  if (metrics.length === 0) return null;
  const named = metrics.slice(0, mostNamed).join(', ');
  return metrics.length > mostNamed ? `${named} and ${metrics.length - mostNamed} more` : named;
}

function formatDays(first: string | undefined, last: string | undefined): string | null {
  if (!first || !last) return null;
  return first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;
}

/** Calendar days have no time zone. */
function formatDay(date: string): string {
  return shortDay(date, { timeZone: 'UTC' });
}
