import { mostCounted } from '../../store/dashboard/users.ts';
import { mostWaiting } from '../../store/dashboard/webhooks.ts';

/** Limits a count that was taken up to one more than `most`, and returns whether there are more. */
export function boundedCount(counted: number, most = mostCounted): { value: number; more: boolean } {
  return { value: Math.min(counted, most), more: counted > most };
}

/** Limits the number of pending deliveries of a webhook. */
export function boundedWaiting({ waiting }: { waiting: number }): { value: number; more: boolean } {
  return boundedCount(waiting, mostWaiting);
}
