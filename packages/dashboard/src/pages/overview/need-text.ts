import type { NeedWire } from '@tributary/contract';
import type { Environment } from '../../api/client.ts';
import { countUpTo, plural, relativeTime, shortDay } from '../../words/time.ts';

export interface NeedText {
  /** What is wrong. */
  title: string;
  /** Its size, and what it means. */
  text: string;
  isBad: boolean;
  /** Where it is mended, below the environment; null where no page can. */
  remedy: { label: string; path: string; search?: Record<string, string> } | null;
}

/** One line for what asks for attention: cause, size and where it is mended. */
export function needText(need: NeedWire, environment: Environment): NeedText {
  const { kind, subject, since, count, detail } = need;
  const name = subject?.name ?? '';
  const id = subject?.id ?? '';
  const many = count ? countUpTo(count) : '';
  switch (kind) {
    case 'webhook_disabled':
      return {
        title: `${name} is switched off.`,
        text: detail.reason ?? 'It failed for too long; nothing is sent there any more.',
        isBad: true,
        remedy: { label: 'Inspect', path: `webhooks/${id}` },
      };
    case 'webhook_failing':
      return {
        title: `${name} fails.`,
        text: [
          since && `First failed ${relativeTime(since)}.`,
          count && `${many} ${count.value === 1 ? 'delivery waits' : 'deliveries wait'}.`,
          lastAnswer(detail),
        ]
          .filter(Boolean)
          .join(' '),
        isBad: true,
        remedy: { label: 'Inspect', path: `webhooks/${id}` },
      };
    case 'provider_refusing':
      return {
        title: `${name} refuses ${many || 'some'} ${count?.value === 1 ? 'connection' : 'connections'}.`,
        text: 'Those people have to allow access again.',
        isBad: true,
        remedy: { label: 'Review', path: `providers/${id}` },
      };
    case 'dead_letters':
      return {
        title: `${many} ${count?.value === 1 ? 'batch was' : 'batches were'} set aside.`,
        text: 'They could not be worked in and are kept. `tributary dead-letter list` says why.',
        isBad: true,
        remedy: null,
      };
    case 'devices_silent':
      return {
        title: `${many} ${count?.value === 1 ? 'device brings' : 'devices bring'} no new data.`,
        text: 'Their providers are silent, or access has ended.',
        isBad: false,
        remedy: { label: 'Show users', path: 'users', search: { filter: 'not_syncing' } },
      };
    case 'key_ending':
      return {
        title: `The ${environment} key …${name} ends ${endOf(detail)}.`,
        text: detail.last_used_at ? `Last used ${relativeTime(detail.last_used_at)}.` : 'It was never used.',
        isBad: (detail.days_left ?? 99) <= 3,
        remedy: { label: 'Rotate', path: 'keys' },
      };
    case 'no_authenticator':
      return {
        title: 'You sign in with a password alone.',
        text: 'An authenticator keeps the account safe when the password leaks.',
        isBad: false,
        remedy: { label: 'Set it up', path: 'settings/security' },
      };
    case 'roster_not_configured':
      return {
        title: 'Invitations cannot be sent yet.',
        text: 'The roster needs to know who asks, and for what.',
        isBad: false,
        remedy: { label: 'Configure', path: 'roster' },
      };
  }
}

function lastAnswer({ status, error }: NeedWire['detail']): string {
  if (status) return `The last answer was ${status}.`;
  return error ?? 'There was no answer.';
}

function endOf({ days_left, ends_at }: NeedWire['detail']): string {
  if (days_left !== undefined) return days_left <= 0 ? 'today' : `in ${plural(days_left, 'day')}`;
  return ends_at ? `on ${shortDay(ends_at)}` : 'soon';
}
