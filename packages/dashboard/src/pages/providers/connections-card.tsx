import type { ProviderRowWire } from '@tributary/contract';
import { Meter } from '../../charts/meter.tsx';
import { Card } from '../../components/page.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { number } from '../../words/time.ts';
import { stateWords } from './provider-text.ts';

/** Connections by state, and the used share of the provider's rate limit. */
export function ConnectionsCard({ row }: { row: ProviderRowWire }) {
  const states = Object.entries(row.by_state) as [keyof typeof stateWords, number][];
  const shown = states.filter(([, count]) => count > 0);
  return (
    <Card title="Connections">
      <dl className="provider-facts">
        {shown.length === 0 && (
          <>
            <dt>Connected</dt>
            <dd>No users yet</dd>
          </>
        )}
        {shown.map(([state, count]) => (
          <div key={state} className="provider-fact">
            <dt>{state === 'on_device' && row.kind === 'cloud' ? 'Simulated' : stateWords[state]}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
        <dt>Latest data</dt>
        <dd>{row.newest_data_at ? <Time at={row.newest_data_at} /> : <None reason="No data yet" />}</dd>
        <dt>Limit used</dt>
        <dd>
          {row.limit_used === null ? (
            <None reason="No rate limit" />
          ) : (
            <span className="provider-limit">
              <Meter
                label="Limit used"
                share={Math.min(1, row.limit_used)}
                tone={row.limit_used >= 1 ? 'bad' : row.limit_used >= 0.8 ? 'warn' : 'accent'}
                shareText={`${Math.round(row.limit_used * 100)}%`}
              />
              {Math.round(row.limit_used * 100)}%
            </span>
          )}
        </dd>
      </dl>
    </Card>
  );
}
