import { useQuery } from '@tanstack/react-query';
import type { ConsolidationPreviewWire } from '@tributary/contract';
import { useEffect, useState } from 'react';
import { previewQuery, type ConsolidationPatch } from '../../../api/consolidation.ts';
import { metricsQuery } from '../../../api/health.ts';
import { ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Diff } from '../../../components/tables/timeline.tsx';
import { plural, shortDay } from '../../../words/time.ts';
import { daysUpTo, usePerson } from '../person.ts';
import { formatValue, words } from '../health/value-text.ts';

const shownDays = 30;
const mostRows = 12;
const pauseMs = 150;

/** Previews the effect of a change on existing values while the user edits it. */
export function ConsolidationPreview({ patch }: { patch: ConsolidationPatch }) {
  const { whose, today } = usePerson();
  const debouncedPatch = useDebounced(patch);
  const preview = useQuery(previewQuery(whose, debouncedPatch, daysUpTo(today, shownDays)));
  const { data: catalog } = useQuery(metricsQuery(whose.environment));
  if (preview.error)
    return (
      <ErrorBox
        error={preview.error}
        title="Could not compute the preview."
        onRetry={() => void preview.refetch()}
      />
    );
  if (!preview.data) return <Skeleton heights={[24, 160]} label="Computing preview" />;
  const { metrics, sleep, changed } = preview.data;
  if (!changed)
    return (
      <p role="status">
        <b>No values change.</b> <span className="quiet">The last {shownDays} days stay as they are.</span>
      </p>
    );
  const rows = metrics.flatMap(({ metric, unit, changes }) => {
    const entry = catalog?.get(metric);
    const formatOrDash = (value: number | null) => (value === null ? '–' : formatValue(value, unit, entry));
    return changes.toReversed().map(({ date, before, after }) => ({
      id: `${metric} ${date}`,
      label: `${entry?.display_name ?? words(metric)}, ${shortDay(date)}`,
      before: formatOrDash(before),
      after: formatOrDash(after),
    }));
  });
  return (
    <div className={preview.isFetching ? 'stack old' : 'stack'} aria-live="polite">
      <Diff summary={describePreview(preview.data)} changes={rows.slice(0, mostRows)} />
      {rows.length > mostRows && <p className="quiet">and {rows.length - mostRows} more changes</p>}
      {sleep.days_changed > 0 && (
        <p className="quiet">Different sleep sessions are used on {plural(sleep.days_changed, 'day')}.</p>
      )}
    </div>
  );
}

/** "12 of 30 days change". */
function describePreview({ metrics, sleep }: ConsolidationPreviewWire): string {
  const days = Math.max(sleep.days_changed, ...metrics.map(({ days_changed }) => days_changed));
  const more = metrics.length > 1 ? `, ${plural(metrics.length, 'metric')}` : '';
  return `${days} of ${shownDays} days change${more}`;
}

/** Debounces the patch, so that moving through a list with arrow keys causes one request. */
function useDebounced(patch: ConsolidationPatch): ConsolidationPatch {
  const text = JSON.stringify(patch);
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(debouncedText) as ConsolidationPatch;
}
