import { parseId } from '../ids.ts';
import { deliveryNotFound } from '../services/webhooks/delivery-not-found.ts';
import { webhookNotFound } from '../services/webhooks/webhook-not-found.ts';

/** The UUID of a webhook id in a path; what is no id at all is simply not found. */
export function webhookIdOf(id: string): string {
  const uuid = parseId('wh', id);
  if (!uuid) throw webhookNotFound(id);
  return uuid;
}

/** The same for the event of a delivery. */
export function eventIdOf(id: string): string {
  const uuid = parseId('evt', id);
  if (!uuid) throw deliveryNotFound(id);
  return uuid;
}
