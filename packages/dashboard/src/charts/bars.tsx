import './chart.css';

export interface BarsProps {
  label: string;
  values: readonly number[];
  /** Indexes of the bars with failures. */
  bad?: readonly number[];
}

const height = 44;

/** Counts by hour. Bars show discrete counts, where a line would suggest values in between. */
export function Bars({ label, values, bad }: BarsProps) {
  const highest = Math.max(1, ...values);
  const width = 100 / values.length;
  return (
    <svg
      className="bars"
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, at) => {
        const tall = Math.max(1, (value / highest) * height);
        const isBad = bad?.includes(at) ?? false;
        return (
          <rect
            // Hours keep their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            x={at * width + width * 0.14}
            y={height - tall}
            width={width * 0.72}
            height={tall}
            fill={isBad ? 'var(--bad)' : 'var(--accent)'}
            opacity={isBad || at === values.length - 1 ? 1 : 0.55}
          />
        );
      })}
    </svg>
  );
}
