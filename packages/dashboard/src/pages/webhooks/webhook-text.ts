import type { DeliveryWire, WebhookHealthWire, WebhookWire } from '@tributary/contract';
import type { Tone } from '../../components/badge.tsx';

export const typeLabels = {
  'data.updated': 'Values of a user came or went',
  'score.updated': 'A score has another value',
  'device.connected': 'A device brings data from now on',
  'device.disconnected': 'A device brings no more',
  'subject.synced': 'Everything of a user is up to date',
  'user.deleted': 'A user and all data are gone',
} as const;

/** A dot for the usual, a badge for the rest. */
export interface Condition {
  tone: Tone;
  word: string;
  isUsual: boolean;
}

/** How an endpoint is: what somebody chose, else what its last answer says. */
export function conditionOf(webhook: WebhookWire, health: WebhookHealthWire | null): Condition {
  if (webhook.status === 'disabled')
    return { tone: 'bad', word: webhook.disabled_reason === 'gone' ? 'Gone' : 'Disabled', isUsual: false };
  if (webhook.status === 'inactive') return { tone: 'plain', word: 'Paused', isUsual: false };
  if (isFailing(health)) return { tone: 'bad', word: 'Failing', isUsual: false };
  return { tone: 'ok', word: 'Active', isUsual: true };
}

/** The last answer did not count. */
export function isFailing(health: WebhookHealthWire | null): boolean {
  const last = health?.last_answer;
  if (!last) return false;
  return last.status === null || last.status < 200 || last.status > 299;
}

/** What an endpoint answered, or why it did not. */
export function sayAnswer({ status, error }: { status: number | null; error: string | null }): string {
  if (status !== null) return error === null ? `It answered ${status}.` : `It answered ${status}: ${error}`;
  return error ?? 'It did not answer.';
}

/** Of a day's deliveries, the share that arrived; null when there were none. */
export function successShare({ hours }: WebhookHealthWire): number | null {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** "99.2 %", never rounded up to all. */
export function sayShare(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

export function deliveryCondition({ status, held }: Pick<DeliveryWire, 'status' | 'held'>): Condition {
  if (status === 'succeeded') return { tone: 'ok', word: 'Delivered', isUsual: true };
  if (status === 'failed') return { tone: 'bad', word: 'Failed', isUsual: false };
  if (status === 'merged') return { tone: 'plain', word: 'Merged', isUsual: true };
  return held
    ? { tone: 'plain', word: 'Held', isUsual: false }
    : { tone: 'warn', word: 'Waiting', isUsual: false };
}
