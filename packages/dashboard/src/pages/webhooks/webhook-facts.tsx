import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { Chip } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/tip.tsx';
import { plural } from '../../words/time.ts';
import { HealthBars } from './health-bars.tsx';
import { sayAnswer } from './webhook-text.ts';

export function WebhookFacts({
  webhook,
  health,
}: {
  webhook: WebhookWire;
  health: WebhookHealthWire | null;
}) {
  const last = health?.last_answer;
  return (
    <div className="two">
      <Card title="Told of">
        <dl className="webhook-facts">
          <dt>Events</dt>
          <dd>
            {webhook.events.includes('*')
              ? 'All, also those to come'
              : webhook.events.map((type) => <Chip key={type}>{type}</Chip>)}
          </dd>
          <dt>Gathers</dt>
          <dd>
            {webhook.coalesce_seconds === 0
              ? 'Nothing: every change is an event'
              : `Changes of a user for ${plural(webhook.coalesce_seconds, 'second')}`}
          </dd>
          <dt>Pace</dt>
          <dd>{webhook.rate_limit === null ? 'No limit' : `At most ${webhook.rate_limit} a second`}</dd>
        </dl>
      </Card>
      <Card title="Last 24 hours">
        <div className="stack">
          {health && <HealthBars health={health} isLoading={false} />}
          <p className="quiet">
            {last ? (
              <>
                Last attempt <Time at={last.at} />: {sayAnswer(last)}
              </>
            ) : (
              'Nothing was sent yet.'
            )}
          </p>
        </div>
      </Card>
    </div>
  );
}
