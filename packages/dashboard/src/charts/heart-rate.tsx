import { Suspense, lazy, useMemo, useState } from 'react';
import { ToggleGroup } from '../components/controls/toggle-group.tsx';
import { Kbd } from '../components/feedback/badge.tsx';
import { Skeleton } from '../components/feedback/feedback.tsx';
import { format, number } from '../words/time.ts';
import { ChartCard, Legend } from './chart-card.tsx';
import './heart-rate.css';
import type { HeartRateProps, Reading, Span } from './heart-rate-data.ts';
import { clampSpan, indexAt, reduce, summarize, type Samples, type Summary } from './reduce.ts';
import { SpanStrip } from './span-strip.tsx';

// The plotting library loads with the first chart, not with the page.
const HeartRatePlot = lazy(() =>
  import('./heart-rate-plot.tsx').then((module) => ({ default: module.HeartRatePlot })),
);

const hour = 3_600;
const day = 24 * hour;
const leastSpan = 300;
const spans = [
  { value: '6h', label: '6h', seconds: 6 * hour },
  { value: '24h', label: '24h', seconds: day },
  { value: '3d', label: '3d', seconds: 3 * day },
  { value: 'all', label: 'All', seconds: Number.POSITIVE_INFINITY },
];

/** Heart rate in beats per minute: a line for the mean over a band from lowest to highest. */
export function HeartRate(props: HeartRateProps) {
  const { samples, timeZone } = props;
  const full = useMemo<Span>(
    () => [samples.times[0] ?? 0, samples.times[samples.times.length - 1] ?? 1],
    [samples],
  );
  const [span, setSpan] = useState<Span>(full);
  const [reading, setReading] = useState<Reading | null>(null);
  const show = (next: Span) => setSpan(clampSpan(next, full, leastSpan));
  const summary = useMemo(
    () => summarize(samples.values, indexAt(samples.times, span[0]), indexAt(samples.times, span[1] + 1)),
    [samples, span],
  );
  const chosen = spans.find(
    ({ seconds }) => Math.abs(Math.min(seconds, full[1] - full[0]) - (span[1] - span[0])) < 60,
  );
  return (
    <ChartCard
      title="Heart rate"
      readout={<Readout reading={reading} summary={summary} timeZone={timeZone} />}
      tools={
        <ToggleGroup
          label="Time range"
          options={spans}
          value={chosen?.value ?? null}
          onChange={(value) => {
            const { seconds } = spans.find((one) => one.value === value)!;
            show([span[1] - Math.min(seconds, full[1] - full[0]), span[1]]);
          }}
        />
      }
      legend={
        <>
          <Legend
            entries={[
              { label: 'Average', color: 'heart-rate', line: true },
              { label: 'Range', color: 'heart-rate-band' },
              { label: 'Asleep', color: 'night' },
              { label: 'Workout', color: 'workout' },
            ]}
          />
          <span className="chart-hint">
            Drag to zoom · <Kbd>←</Kbd> <Kbd>→</Kbd> to pan · <Kbd>0</Kbd> to reset
          </span>
        </>
      }
      table={() => tableOf(samples, span, timeZone)}
    >
      <div className="heart-rate" role="img" aria-label={describeHeartRate(span, summary, timeZone)}>
        <Suspense fallback={<Skeleton heights={[256]} label="Loading chart" />}>
          <HeartRatePlot {...props} span={span} onSpan={show} onReading={setReading} />
        </Suspense>
      </div>
      <SpanStrip
        samples={samples}
        full={full}
        span={span}
        onSpan={show}
        formatMoment={(moment) => momentOf(moment, timeZone)}
      />
    </ChartCard>
  );
}

function Readout({
  reading,
  summary,
  timeZone,
}: {
  reading: Reading | null;
  summary: Summary | null;
  timeZone: string;
}) {
  if (reading)
    return (
      <>
        <b>{reading.mean === null ? 'No data' : `${Math.round(reading.mean)} bpm`}</b>
        {reading.low !== null && reading.low !== reading.high && (
          <span>
            {reading.low}–{reading.high}
          </span>
        )}
        <span>{momentOf(reading.time, timeZone)}</span>
      </>
    );
  if (!summary) return <b>No data</b>;
  return (
    <>
      <b>{Math.round(summary.mean)} bpm</b>
      <span>average</span>
      <span>
        {summary.low}–{summary.high}
      </span>
      <span>{number(summary.count)} samples</span>
    </>
  );
}

function describeHeartRate([from, to]: Span, summary: Summary | null, timeZone: string): string {
  const when = `Heart rate from ${momentOf(from, timeZone)} to ${momentOf(to, timeZone)}`;
  if (!summary) return `${when}: no data`;
  return `${when}: average ${Math.round(summary.mean)}, lowest ${summary.low}, highest ${summary.high} beats per minute`;
}

function tableOf(samples: Samples, [from, to]: Span, timeZone: string) {
  const { times, lows, highs, means } = reduce(samples, from, to, 48);
  return {
    head: ['Time (approx.)', 'Average', 'Lowest', 'Highest'],
    rows: times.map((time, at) => [
      momentOf(time, timeZone),
      ...[means[at], lows[at], highs[at]].map((value) => (value === null ? '–' : String(Math.round(value!)))),
    ]),
  };
}

function momentOf(seconds: number, timeZone: string): string {
  return format(new Date(seconds * 1_000), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  });
}
