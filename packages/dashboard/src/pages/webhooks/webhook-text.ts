import type { DeliveryWire, WebhookHealthWire, WebhookWire } from '@tributary/contract';
import type { Tone } from '../../components/feedback/badge.tsx';

export const typeLabels = {
  'data.updated': 'Values of a user were added, changed or removed',
  'score.updated': 'A score changed',
  'device.connected': 'A device was connected and sends data',
  'device.disconnected': 'A device was disconnected',
  'subject.synced': 'All data of a user is up to date',
  'user.deleted': 'A user and all their data were deleted',
} as const;

/** A dot for the usual condition, a badge for the others. */
export interface Condition {
  tone: Tone;
  word: string;
  isUsual: boolean;
}

/** The condition of an endpoint: its configured status, otherwise its last response. */
export function conditionOf(webhook: WebhookWire, health: WebhookHealthWire | null): Condition {
  if (webhook.status === 'disabled')
    return { tone: 'bad', word: webhook.disabled_reason === 'gone' ? 'Gone' : 'Disabled', isUsual: false };
  if (webhook.status === 'inactive') return { tone: 'plain', word: 'Paused', isUsual: false };
  if (isFailing(health)) return { tone: 'bad', word: 'Failing', isUsual: false };
  return { tone: 'ok', word: 'Active', isUsual: true };
}

/** Returns whether the last attempt failed. */
export function isFailing(health: WebhookHealthWire | null): boolean {
  const last = health?.last_response;
  if (!last) return false;
  return last.status === null || last.status < 200 || last.status > 299;
}

/** The response of an endpoint, or why there was none. */
export function describeResponse({ status, error }: { status: number | null; error: string | null }): string {
  if (status !== null) return error === null ? `It returned ${status}.` : `It returned ${status}: ${error}`;
  return error ?? 'It did not respond.';
}

/** The share of a day's deliveries that succeeded, or null if there were none. */
export function successShare({ hours }: WebhookHealthWire): number | null {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** "99.2%", never rounded up to 100%. */
export function formatShare(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`;
}

export function deliveryCondition({
  status,
  held: isHeld,
}: Pick<DeliveryWire, 'status' | 'held'>): Condition {
  if (status === 'succeeded') return { tone: 'ok', word: 'Delivered', isUsual: true };
  if (status === 'failed') return { tone: 'bad', word: 'Failed', isUsual: false };
  if (status === 'merged') return { tone: 'plain', word: 'Merged', isUsual: true };
  return isHeld
    ? { tone: 'plain', word: 'Held', isUsual: false }
    : { tone: 'warn', word: 'Pending', isUsual: false };
}
