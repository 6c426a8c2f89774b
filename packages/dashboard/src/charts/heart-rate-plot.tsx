import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useScheme } from '../app/scheme.ts';
import { format } from '../words/time.ts';
import type { HeartRateProps, Reading, Span } from './heart-rate-data.ts';
import { reduce } from './reduce.ts';
import { tokenColor } from './token-color.ts';

export interface HeartRatePlotProps extends HeartRateProps {
  span: Span;
  onSpan: (span: Span) => void;
  onReading: (reading: Reading | null) => void;
}

const height = 256;
const steps = [60, 300, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800];

/** The plot itself. It reports the values under the pointer to the readout above. */
export function HeartRatePlot(props: HeartRatePlotProps) {
  const { samples, span, timeZone } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useScheme();
  const make = useEffectEvent(
    (element: HTMLElement) =>
      new uPlot(optionsOf(props, element), dataOf(props, element.clientWidth), element),
  );
  const show = useEffectEvent((plot: uPlot) => plot.setScale('x', { min: span[0], max: span[1] }));
  const zoom = useEffectEvent((from: number, to: number) => props.onSpan([from, to]));
  useEffect(() => {
    const element = box.current!;
    const chart = make(element);
    plot.current = chart;
    show(chart);
    const onSize = new ResizeObserver(() => {
      if (chart.width !== element.clientWidth) chart.setSize({ width: element.clientWidth, height });
    });
    const onWheel = (event: WheelEvent) => {
      // Without a modifier key, the wheel scrolls the page.
      if (!event.ctrlKey && !event.metaKey && !event.altKey) return;
      event.preventDefault();
      const { min, max } = chart.scales['x']!;
      const middle = chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, 'x');
      const factor = event.deltaY > 0 ? 1.25 : 0.8;
      zoom(middle - (middle - min!) * factor, middle + (max! - middle) * factor);
    };
    onSize.observe(element);
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      onSize.disconnect();
      element.removeEventListener('wheel', onWheel);
      chart.destroy();
    };
    // The plot draws colors and times, so it must be recreated when they change.
  }, [samples, scheme, timeZone]);
  const data = useEffectEvent((width: number) => dataOf(props, width));
  useEffect(() => {
    const current = plot.current;
    current?.batch(() => {
      current.setData(data(current.width), false);
      current.setScale('x', { min: span[0], max: span[1] });
    });
  }, [samples, span]);
  return <div ref={box} />;
}

function dataOf({ samples, span: [from, to] }: HeartRatePlotProps, width: number): uPlot.AlignedData {
  const { times, highs, lows, means } = reduce(samples, from, to, Math.max(1, Math.floor(width / 2)));
  return [times, highs, lows, means];
}

function optionsOf(props: HeartRatePlotProps, element: HTMLElement): uPlot.Options {
  const { timeZone } = props;
  const line = tokenColor('heart-rate');
  const text = tokenColor('text-3');
  const font = '12px "Geist Variable", system-ui';
  const unseen = { stroke: 'transparent', points: { show: false } };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    padding: [10, 0, 0, 14],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), timeZone),
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: {
        size: (_plot: uPlot, series: number) => (series === 3 ? 7 : 0),
        fill: line,
        stroke: tokenColor('surface'),
        width: 2,
      },
      y: false,
    },
    scales: { x: { time: true }, y: { range: (_plot, low, high) => niceRange(low, high) } },
    axes: [
      {
        stroke: text,
        font,
        grid: { show: false },
        ticks: { show: false },
        space: 84,
        size: 30,
        incrs: steps,
        values: (plot, splits) =>
          splits.map((seconds) => (plot.valToPos(seconds, 'x') < 26 ? '' : tickOf(seconds, timeZone))),
      },
      {
        side: 1,
        stroke: text,
        font,
        grid: { stroke: tokenColor('line'), width: 1 },
        ticks: { show: false },
        size: 36,
        gap: 8,
        space: 44,
      },
    ],
    series: [{}, unseen, unseen, { stroke: line, width: 1.5, points: { show: false }, spanGaps: false }],
    bands: [{ series: [1, 2], fill: tokenColor('heart-rate-band') }],
    hooks: {
      drawClear: [(plot) => drawGround(plot, props)],
      setSelect: [(plot) => takeSelection(plot, props.onSpan)],
      setCursor: [(plot) => props.onReading(readingAt(plot))],
    },
  };
}

function niceRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [40, 120];
  return [Math.max(20, Math.floor((low - 6) / 10) * 10), Math.ceil((high + 6) / 10) * 10];
}

/** Formats the day at midnight and the time otherwise. */
function tickOf(seconds: number, timeZone: string): string {
  const date = new Date(seconds * 1_000);
  const time = format(date, { hour: '2-digit', minute: '2-digit', timeZone });
  if (time !== '00:00') return time;
  return format(date, { weekday: 'short', day: 'numeric', month: 'short', timeZone });
}

function readingAt(plot: uPlot): Reading | null {
  const { idx, left } = plot.cursor;
  if (idx === null || idx === undefined || left === undefined || left < 0) return null;
  const [times, highs, lows, means] = plot.data;
  return { time: times[idx]!, mean: means![idx] ?? null, low: lows![idx] ?? null, high: highs![idx] ?? null };
}

function takeSelection(plot: uPlot, onSpan: (span: Span) => void): void {
  const { left, width } = plot.select;
  if (width < 6) return;
  const span: Span = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSpan(span);
}

/** Draws nights and workouts in the background. */
function drawGround(plot: uPlot, { nights, workouts }: HeartRateProps): void {
  const { ctx: canvas, bbox } = plot;
  const right = bbox.left + bbox.width;
  const fill = ([from, to]: Span, color: string): number | null => {
    const start = plot.valToPos(from, 'x', true);
    const end = plot.valToPos(to, 'x', true);
    if (end < bbox.left || start > right) return null;
    canvas.fillStyle = color;
    canvas.fillRect(start, bbox.top, Math.max(end - start, 2), bbox.height);
    return (start + end) / 2;
  };
  canvas.save();
  canvas.beginPath();
  canvas.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  canvas.clip();
  for (const night of nights) fill(night, tokenColor('night'));
  canvas.font = `${12 * devicePixelRatio}px "Geist Variable", system-ui`;
  canvas.textAlign = 'center';
  for (const { name, span } of workouts) {
    const middle = fill(span, tokenColor('workout'));
    canvas.fillStyle = tokenColor('warn');
    if (middle !== null) canvas.fillText(name, middle, bbox.top + 12 * devicePixelRatio);
  }
  canvas.restore();
}
