import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { Button } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { number, relativeTime } from '../../words/time.ts';
import type { WebhookAct } from './dialog-props.ts';
import { isFailing, describeResponse } from './webhook-text.ts';

export interface TroubleNoticeProps {
  webhook: WebhookWire;
  health: WebhookHealthWire | null;
  reason: string | null;
  onAct: (act: WebhookAct) => void;
}

/** The problem of an endpoint and how to fix it. */
export function TroubleNotice({ webhook, health, reason, onAct }: TroubleNoticeProps) {
  const activate = (
    <Button small reason={reason} onPress={() => onAct('pause')}>
      Activate
    </Button>
  );
  if (webhook.status === 'disabled')
    return (
      <Notice tone="bad" title="Deliveries stopped." action={activate}>
        {webhook.disabled_reason === 'gone'
          ? 'The endpoint returned 410, which means it is gone.'
          : 'Every attempt failed for five days.'}{' '}
        Once it is fixed, activate it and recover missed events.
      </Notice>
    );
  if (webhook.status === 'inactive')
    return (
      <Notice tone="info" title="Paused." action={activate}>
        Pending deliveries are held. New events create no deliveries until you activate the endpoint; you can
        recover them then.
      </Notice>
    );
  if (!health || !isFailing(health)) return null;
  const { last_response: last, waiting, oldest_waiting_at: oldest } = health;
  return (
    <Notice
      tone="bad"
      title="Failing."
      action={
        <Button small reason={reason} onPress={() => onAct('test')}>
          Send test
        </Button>
      }
    >
      {describeResponse(last!)}{' '}
      {oldest &&
        `${number(waiting.value)}${waiting.more ? '+' : ''} pending, the oldest from ${relativeTime(oldest)}.`}{' '}
      Each delivery is retried automatically for days, with increasing delays.
    </Notice>
  );
}
