import './chart.css';
import { areaOf, lineOf, pointsOf } from './line.ts';

export interface SparkProps {
  values: readonly (number | null)[];
  /** Fills its container and shades the area under the line. */
  wide?: boolean;
  /** Accessible name, if nothing beside it describes the chart. */
  label?: string;
}

const box = { width: 96, height: 28, margin: 3 };

/** A small line chart without axes, shown beside the value. */
export function Spark({ values, wide, label }: SparkProps) {
  const points = pointsOf(values, box);
  const last = points.findLast((point) => point !== null);
  return (
    <svg
      className={wide ? 'spark wide' : 'spark'}
      viewBox={`0 0 ${box.width} ${box.height}`}
      preserveAspectRatio="none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {wide && <path d={areaOf(points, box.height)} fill="currentColor" opacity="0.08" />}
      <path
        d={lineOf(points)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last && (
        <path
          d={`M${last.x} ${last.y}h.01`}
          stroke="currentColor"
          strokeWidth="5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
