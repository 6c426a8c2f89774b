import './chart.css';
import { lineOf, pointsOf } from './line.ts';

/** A band starts at a value. Bands are in ascending order. */
export interface Band {
  from: number;
  label: string;
}

export interface TrendProps {
  label: string;
  values: readonly (number | null)[];
  bands: readonly Band[];
  /** The end of the highest band. */
  highest: number;
}

const box = { width: 300, height: 112, margin: 4 };

/** A value over time with its bands in the background. */
export function Trend({ label, values, bands, highest }: TrendProps) {
  const lowest = bands[0]?.from ?? 0;
  const points = pointsOf(values, box, [lowest, highest]);
  const last = points.findLast((point) => point !== null);
  const now = values.findLast((value) => value !== null) ?? lowest;
  const yOf = (value: number) => box.height - ((value - lowest) / (highest - lowest)) * box.height;
  const spans = bands.map((band, at) => ({ ...band, to: bands[at + 1]?.from ?? highest }));
  return (
    <div className="trend" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
        {spans.map(({ from, to }) => (
          <rect
            key={from}
            x="0"
            width={box.width}
            y={yOf(to) + 0.75}
            height={Math.max(0, yOf(from) - yOf(to) - 1.5)}
            fill={now >= from && now < to ? 'var(--accent-soft)' : 'var(--sunken)'}
          />
        ))}
        <path
          d={lineOf(points)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.75"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        {last && (
          <path
            d={`M${last.x} ${last.y}h.01`}
            stroke="var(--accent)"
            strokeWidth="7"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <div className="trend-labels" aria-hidden="true">
        {spans.map(({ from, to, label: name }) => (
          <span
            key={from}
            className={now >= from && now < to ? 'now' : undefined}
            style={{ bottom: `${(((from + to) / 2 - lowest) / (highest - lowest)) * 100}%` }}
          >
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}
