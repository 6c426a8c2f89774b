import type { KeyRowWire } from '@tributary/contract';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { Meter } from '../../charts/meter.tsx';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { plural } from '../../words/time.ts';
import { environmentNames, shortKey, timeLeft } from './key-text.ts';

export interface KeyCardProps {
  environment: Environment;
  current: KeyRowWire | null;
  /** Why changes are not allowed. */
  reason: string | null;
  onRotate: () => void;
  onRevoke: (key: KeyRowWire) => void;
}

export function KeyCard({ environment, current, reason, onRotate, onRevoke }: KeyCardProps) {
  return (
    <Card
      title={environmentNames[environment]}
      actions={current ? <State>Active</State> : <Badge>No key</Badge>}
    >
      {current ? (
        <div className="stack">
          <p className="key-value">
            <code>{shortKey(current)}</code>
          </p>
          <KeyFacts current={current} />
          <div className="key-actions">
            <Button onPress={onRotate} reason={reason}>
              <RotateCw size={14} aria-hidden />
              Rotate key
            </Button>
            <Button kind="danger" onPress={() => onRevoke(current)} reason={reason}>
              Revoke key
            </Button>
          </div>
        </div>
      ) : (
        <div className="stack">
          <p className="quiet">
            {environment === 'live'
              ? 'No API request can reach the data of your users until you create a key.'
              : 'For testing: simulated users, same API.'}
          </p>
          <div className="key-actions">
            <Button onPress={onRotate} reason={reason}>
              Create key
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

function KeyFacts({ current }: { current: KeyRowWire }) {
  const [now] = useState(() => Date.now());
  const left = timeLeft(current, now);
  return (
    <dl className="key-facts">
      <dt>Created</dt>
      <dd>
        <Time at={current.created_at} />{' '}
        {current.created_by && <span className="quiet">by {current.created_by}</span>}
      </dd>
      <dt>Last used</dt>
      <dd>
        {current.last_used_at ? <Time at={current.last_used_at} /> : 'Never'}
        {current.last_used_address && <span className="quiet"> from {current.last_used_address}</span>}
      </dd>
      <dt>Expires</dt>
      <dd>
        <span className="key-left">
          <Meter
            label="Time left"
            share={left.share}
            tone={left.isSoon ? 'warn' : 'accent'}
            shareText={plural(left.days, 'day')}
          />
          {left.isSoon ? (
            <Badge tone="warn">{plural(left.days, 'day')} left</Badge>
          ) : (
            `${plural(left.days, 'day')} left`
          )}
        </span>
      </dd>
    </dl>
  );
}
