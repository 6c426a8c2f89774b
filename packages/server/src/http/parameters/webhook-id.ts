import { parseId } from '../../ids.ts';
import { deliveryNotFound } from '../../services/webhooks/deliveries/delivery-not-found.ts';
import { webhookNotFound } from '../../services/webhooks/webhook-not-found.ts';

/** The UUID of a webhook ID in a path. A malformed ID counts as not found. */
export function webhookIdOf(id: string): string {
  const uuid = parseId('wh', id);
  if (!uuid) throw webhookNotFound(id);
  return uuid;
}

/** The same for the event ID of a delivery. */
export function eventIdOf(id: string): string {
  const uuid = parseId('evt', id);
  if (!uuid) throw deliveryNotFound(id);
  return uuid;
}
