import type { AccountSettingsWire } from '@tributary/contract';
import { Meter } from '../../charts/meter.tsx';
import { Badge, State } from '../../components/badge.tsx';
import { Notice } from '../../components/feedback.tsx';
import { Card, Stat } from '../../components/page.tsx';
import { number } from '../../words/time.ts';

export function PlanTab({ settings }: { settings: AccountSettingsWire }) {
  const { plan, public_url: publicUrl, mail } = settings;
  return (
    <div className="stack">
      {plan.suspended && (
        <Notice tone="bad" title="The account is suspended.">
          Every call but deleting is answered with 402. Whoever runs the service can resume it.
        </Notice>
      )}
      <div className="tiles">
        <UserStat label="Live users" count={plan.users.live} limit={plan.user_limit} />
        <UserStat label="Sandbox users" count={plan.users.sandbox} limit={plan.user_limit} />
      </div>
      <Card title="Service">
        <dl className="facts">
          <dt>State</dt>
          <dd>{plan.suspended ? <Badge tone="bad">Suspended</Badge> : <State>Active</State>}</dd>
          <dt>Address</dt>
          <dd>
            <code>{publicUrl}</code>
          </dd>
          <dt>Mail</dt>
          <dd>
            {mail.configured ? (
              <State>Can be sent</State>
            ) : (
              <>
                <Badge tone="warn">Not set up</Badge>{' '}
                <span className="quiet">Nobody can be invited until SMTP_URL and MAIL_FROM are set.</span>
              </>
            )}
          </dd>
        </dl>
      </Card>
    </div>
  );
}

function UserStat({ label, count, limit }: { label: string; count: number; limit: number | null }) {
  if (limit === null) return <Stat label={label} value={number(count)} note="No limit is set" />;
  const share = Math.min(1, count / Math.max(1, limit));
  const tone = share >= 1 ? 'bad' : share >= 0.9 ? 'warn' : 'accent';
  return (
    <Stat label={label} value={number(count)} unit={`of ${number(limit)}`}>
      <Meter label={label} share={share} tone={tone} said={`${count} of ${limit}`} />
    </Stat>
  );
}
