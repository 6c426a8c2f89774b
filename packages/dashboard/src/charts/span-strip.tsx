import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useScheme } from '../app/scheme.ts';
import type { Span } from './heart-rate-data.ts';
import { reduce, type Samples } from './reduce.ts';
import { tokenColor } from './token-color.ts';

export interface SpanStripProps {
  samples: Samples;
  full: Span;
  span: Span;
  onSpan: (span: Span) => void;
  formatMoment: (moment: number) => string;
}

/** The whole range in small, with a window on the part shown above. The window can be dragged or moved with the keys of a slider. */
export function SpanStrip({ samples, full, span, onSpan, formatMoment }: SpanStripProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  useEffect(() => {
    const element = canvas.current!;
    const onSize = new ResizeObserver(() => draw(element, samples, full));
    onSize.observe(element);
    return () => onSize.disconnect();
  }, [samples, full, scheme]);
  const [from, to] = span;
  const width = to - from;
  const share = (moment: number) => ((moment - full[0]) / (full[1] - full[0])) * 100;
  const moveTo = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const middle = full[0] + ((event.clientX - box.left) / box.width) * (full[1] - full[0]);
    onSpan([middle - width / 2, middle + width / 2]);
  };
  return (
    <div
      className="span-strip"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && moveTo(event)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div
        className="span-window"
        role="slider"
        tabIndex={0}
        aria-label="Visible time range. Arrow keys move it, plus and minus zoom, 0 shows everything."
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share(from))}
        aria-valuetext={`${formatMoment(from)} to ${formatMoment(to)}`}
        style={{ left: `${share(from)}%`, width: `${share(to) - share(from)}%` }}
        onKeyDown={(event: KeyboardEvent) => {
          const next = spanByKey(event.key, span, full);
          if (!next) return;
          event.preventDefault();
          onSpan(next);
        }}
      />
    </div>
  );
}

function spanByKey(key: string, [from, to]: Span, full: Span): Span | null {
  const width = to - from;
  const middle = (from + to) / 2;
  const zoomed = (factor: number): Span => [middle - (width * factor) / 2, middle + (width * factor) / 2];
  switch (key) {
    case 'ArrowLeft':
      return [from - width * 0.2, to - width * 0.2];
    case 'ArrowRight':
      return [from + width * 0.2, to + width * 0.2];
    case '+':
    case '=':
      return zoomed(0.6);
    case '-':
      return zoomed(1.7);
    case 'Home':
      return [full[0], full[0] + width];
    case 'End':
      return [full[1] - width, full[1]];
    case '0':
      return full;
    default:
      return null;
  }
}

function draw(element: HTMLCanvasElement, samples: Samples, full: Span): void {
  const { clientWidth: width, clientHeight: height } = element;
  element.width = width * devicePixelRatio;
  element.height = height * devicePixelRatio;
  const canvas = element.getContext('2d')!;
  canvas.scale(devicePixelRatio, devicePixelRatio);
  canvas.fillStyle = tokenColor('text-3');
  canvas.globalAlpha = 0.5;
  const { times, highs, lows } = reduce(samples, full[0], full[1], width);
  const highest = Math.max(1, ...highs.filter((value) => value !== null));
  const lowest = Math.min(highest - 1, ...lows.filter((value) => value !== null));
  const yOf = (value: number) => height - 2 - ((value - lowest) / (highest - lowest)) * (height - 4);
  times.forEach((time, at) => {
    const high = highs[at];
    if (high === null || high === undefined) return;
    const x = ((time - full[0]) / (full[1] - full[0])) * width;
    canvas.fillRect(x, yOf(high), 1, Math.max(1, yOf(lows[at]!) - yOf(high)));
  });
}
