import type { NeedWire } from '@tributary/contract';
import type { Environment } from '../../api/client/client.ts';
import { countUpTo, plural, relativeTime, shortDay } from '../../words/time.ts';

export interface NeedText {
  /** The problem. */
  title: string;
  /** Its extent and meaning. */
  text: string;
  isBad: boolean;
  /** The page that fixes it, relative to the environment, or null if no page can. */
  remedy: { label: string; path: string; search?: Record<string, string> } | null;
}

/** One line for a problem: its cause, extent and the page that fixes it. */
export function needText(need: NeedWire, environment: Environment): NeedText {
  const { kind, subject, since, count, detail } = need;
  const name = subject?.name ?? '';
  const id = subject?.id ?? '';
  const many = count ? countUpTo(count) : '';
  switch (kind) {
    case 'webhook_disabled':
      return {
        title: `${name} is disabled.`,
        text: `${detail.reason === 'gone' ? 'It returned 410 (gone).' : 'It failed for too long.'} Deliveries have stopped.`,
        isBad: true,
        remedy: { label: 'Inspect', path: `webhooks/${id}` },
      };
    case 'webhook_failing':
      return {
        title: `${name} is failing.`,
        text: [
          since && `First failed ${relativeTime(since)}.`,
          count && `${many} ${count.value === 1 ? 'delivery is waiting' : 'deliveries are waiting'}.`,
          describeLastResponse(detail),
        ]
          .filter(Boolean)
          .join(' '),
        isBad: true,
        remedy: { label: 'Inspect', path: `webhooks/${id}` },
      };
    case 'provider_refusing':
      return {
        title: `${name} rejects ${many || 'some'} ${count?.value === 1 ? 'connection' : 'connections'}.`,
        text: 'These users must authorize access again.',
        isBad: true,
        remedy: { label: 'Review', path: `providers/${id}` },
      };
    case 'dead_letters':
      return {
        title: `${many} ${count?.value === 1 ? 'batch' : 'batches'} could not be processed.`,
        text: 'Dead letters are kept. Run `tributary dead-letter list` to see why they failed.',
        isBad: true,
        remedy: null,
      };
    case 'devices_silent':
      return {
        title: `${many} ${count?.value === 1 ? 'device sends' : 'devices send'} no new data.`,
        text: 'Their providers return nothing, or access has ended.',
        isBad: false,
        remedy: { label: 'Show users', path: 'users', search: { filter: 'not_syncing' } },
      };
    case 'key_ending':
      return {
        title: `The ${environment} key ${name} expires ${endOf(detail)}.`,
        text: detail.last_used_at ? `Last used ${relativeTime(detail.last_used_at)}.` : 'Never used.',
        isBad: (detail.days_left ?? 99) <= 3,
        remedy: { label: 'Rotate key', path: 'keys' },
      };
    case 'no_authenticator':
      return {
        title: 'You sign in with only a password.',
        text: 'An authenticator protects the account if your password leaks.',
        isBad: false,
        remedy: { label: 'Add authenticator', path: 'settings/security' },
      };
    case 'roster_not_configured':
      return {
        title: 'You cannot send invitations yet.',
        text: 'The roster needs an organization name and a mail server.',
        isBad: false,
        remedy: { label: 'Configure', path: 'roster' },
      };
  }
}

function describeLastResponse({ status, error }: NeedWire['detail']): string {
  if (status) return `The last response was ${status}.`;
  return error ?? 'There was no response.';
}

function endOf({ days_left, ends_at }: NeedWire['detail']): string {
  if (days_left !== undefined) return days_left <= 0 ? 'today' : `in ${plural(days_left, 'day')}`;
  return ends_at ? `on ${shortDay(ends_at)}` : 'soon';
}
