import type { WebhookHealthWire } from '@tributary/contract';
import { Bars } from '../../charts/bars.tsx';
import { None } from '../../components/overlays/tip.tsx';
import { number } from '../../words/time.ts';
import { formatShare, successShare } from './webhook-text.ts';

export interface HealthBarsProps {
  health: WebhookHealthWire | null;
  isLoading: boolean;
  /** For a table row. */
  small?: boolean;
}

/** Deliveries by hour for a day, hours with failures highlighted, and the success rate. */
export function HealthBars({ health, isLoading, small }: HealthBarsProps) {
  if (!health) return isLoading ? <span className="quiet">…</span> : <None reason="Could not load" />;
  const share = successShare(health);
  if (share === null) return <None reason="Nothing sent in the last 24 hours" />;
  const totals = health.hours.map(({ delivered, failed }) => delivered + failed);
  const bad = health.hours.flatMap(({ failed }, at) => (failed > 0 ? [at] : []));
  const sum = totals.reduce((total, count) => total + count, 0);
  const about = health.approximate ? 'about ' : '';
  return (
    <span className={small ? 'health small' : 'health'}>
      <Bars
        label={`${about}${number(sum)} attempts in 24 hours, ${formatShare(share)} delivered`}
        values={totals}
        bad={bad}
      />
      <span className="health-share">{formatShare(share)}</span>
    </span>
  );
}
