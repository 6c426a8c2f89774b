import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/feedback.tsx';
import { number, relativeTime } from '../../words/time.ts';
import type { WebhookAct } from './webhook-dialogs.tsx';
import { isFailing, sayAnswer } from './webhook-text.ts';

export interface TroubleNoticeProps {
  webhook: WebhookWire;
  health: WebhookHealthWire | null;
  reason: string | null;
  onAct: (act: WebhookAct) => void;
}

/** What is wrong with an endpoint, and its remedy. */
export function TroubleNotice({ webhook, health, reason, onAct }: TroubleNoticeProps) {
  const activate = (
    <Button small reason={reason} onPress={() => onAct('pause')}>
      Activate
    </Button>
  );
  if (webhook.status === 'disabled')
    return (
      <Notice tone="bad" title="We stopped sending." action={activate}>
        {webhook.disabled_reason === 'gone'
          ? 'The endpoint answered 410, which means that it is gone.'
          : 'Nothing but failures for five days.'}{' '}
        Once it is mended: activate it, then recover what was missed.
      </Notice>
    );
  if (webhook.status === 'inactive')
    return (
      <Notice tone="info" title="Paused." action={activate}>
        What was waiting is held; new events make no delivery until it is active, and can be recovered then.
      </Notice>
    );
  if (!health || !isFailing(health)) return null;
  const { last_answer: last, waiting, oldest_waiting_at: oldest } = health;
  return (
    <Notice
      tone="bad"
      title="Failing."
      action={
        <Button small reason={reason} onPress={() => onAct('test')}>
          Send a test
        </Button>
      }
    >
      {sayAnswer(last!)}{' '}
      {oldest &&
        `${number(waiting.value)}${waiting.more ? '+' : ''} waiting, the oldest from ${relativeTime(oldest)}.`}{' '}
      Each is tried again by itself, ever less often, for days.
    </Notice>
  );
}
