import './chart.css';

export interface MeterProps {
  label: string;
  /** From 0 to 1. */
  share: number;
  /** The share in words. */
  shareText: string;
  tone?: 'accent' | 'warn' | 'bad';
}

/** Shows how much of something is used or left. */
export function Meter({ label, share, shareText, tone = 'accent' }: MeterProps) {
  return (
    <span
      className={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={shareText}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
