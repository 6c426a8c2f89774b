import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { Chip } from '../../components/feedback/badge.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { plural } from '../../words/time.ts';
import { HealthBars } from './health-bars.tsx';
import { describeResponse } from './webhook-text.ts';

export function WebhookFacts({
  webhook,
  health,
}: {
  webhook: WebhookWire;
  health: WebhookHealthWire | null;
}) {
  const last = health?.last_response;
  return (
    <div className="two">
      <Card title="Subscription">
        <dl className="webhook-facts">
          <dt>Events</dt>
          <dd>
            {webhook.events.includes('*')
              ? 'All, including future types'
              : webhook.events.map((type) => <Chip key={type}>{type}</Chip>)}
          </dd>
          <dt>Batch window</dt>
          <dd>
            {webhook.coalesce_seconds === 0
              ? 'Off: every change is an event'
              : `${plural(webhook.coalesce_seconds, 'second')} per user`}
          </dd>
          <dt>Rate limit</dt>
          <dd>
            {webhook.rate_limit === null ? 'No limit' : `${plural(webhook.rate_limit, 'request')} per second`}
          </dd>
        </dl>
      </Card>
      <Card title="Last 24 hours">
        <div className="stack">
          {health && <HealthBars health={health} isLoading={false} />}
          <p className="quiet">
            {last ? (
              <>
                Last attempt <Time at={last.at} />: {describeResponse(last)}
              </>
            ) : (
              'Nothing sent yet.'
            )}
          </p>
        </div>
      </Card>
    </div>
  );
}
