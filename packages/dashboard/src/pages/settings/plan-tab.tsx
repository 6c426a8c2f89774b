import type { AccountSettingsWire } from '@tributary/contract';
import { Meter } from '../../charts/meter.tsx';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { Card, Stat } from '../../components/page.tsx';
import { number } from '../../words/time.ts';

export function PlanTab({ settings }: { settings: AccountSettingsWire }) {
  const { plan, public_url: publicUrl, mail } = settings;
  return (
    <div className="stack">
      {plan.suspended && (
        <Notice tone="bad" title="The account is suspended.">
          Every request except DELETE returns 402. Your operator can resume the account.
        </Notice>
      )}
      <div className="tiles">
        <UsageStat label="Live users" count={plan.users.live} limit={plan.user_limit} />
        <UsageStat label="Sandbox users" count={plan.users.sandbox} limit={plan.user_limit} />
        <UsageStat label="Live uploads today" count={plan.uploads_today.live} limit={plan.uploads_per_day} />
        <UsageStat label="Live values today" count={plan.values_today.live} limit={plan.values_per_day} />
      </div>
      <Card title="Limits" note="Each environment has its own. Your operator can change them.">
        <dl className="facts">
          <dt>API requests</dt>
          <dd>
            {number(plan.requests_per_second)} per second, bursts of {number(plan.request_burst)}
          </dd>
          <dt>Event streams</dt>
          <dd>{number(plan.streams)} per server</dd>
          <dt>Uploads</dt>
          <dd>
            <DailyLimit limit={plan.uploads_per_day} sandboxCount={plan.uploads_today.sandbox} />
          </dd>
          <dt>Values</dt>
          <dd>
            <DailyLimit limit={plan.values_per_day} sandboxCount={plan.values_today.sandbox} />
          </dd>
        </dl>
      </Card>
      <Card title="Service">
        <dl className="facts">
          <dt>Status</dt>
          <dd>{plan.suspended ? <Badge tone="bad">Suspended</Badge> : <State>Active</State>}</dd>
          <dt>Public URL</dt>
          <dd>
            <code>{publicUrl}</code>
          </dd>
          <dt>Email</dt>
          <dd>
            {mail.configured ? (
              <State>Configured</State>
            ) : (
              <>
                <Badge tone="warn">Not configured</Badge>{' '}
                <span className="quiet">Set SMTP_URL and MAIL_FROM to send invitations.</span>
              </>
            )}
          </dd>
        </dl>
      </Card>
    </div>
  );
}

/** Days are UTC days. */
function DailyLimit({ limit, sandboxCount }: { limit: number | null; sandboxCount: number }) {
  return (
    <>
      {limit === null ? 'No limit' : `${number(limit)} per UTC day`}{' '}
      <span className="quiet">· {number(sandboxCount)} in the sandbox today</span>
    </>
  );
}

function UsageStat({ label, count, limit }: { label: string; count: number; limit: number | null }) {
  if (limit === null) return <Stat label={label} value={number(count)} note="No limit" />;
  const share = Math.min(1, count / Math.max(1, limit));
  const tone = share >= 1 ? 'bad' : share >= 0.9 ? 'warn' : 'accent';
  return (
    <Stat label={label} value={number(count)} unit={`of ${number(limit)}`}>
      <Meter label={label} share={share} tone={tone} shareText={`${count} of ${limit}`} />
    </Stat>
  );
}
