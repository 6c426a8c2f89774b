import type { Core } from '../../../core.ts';
import { createPointing } from '../../../stream/pointer-stream.ts';
import { publishSequenced } from '../../../stream/sequenced-stream.ts';

/** Notifies the dispatchers of a webhook with due deliveries. Never waits and never fails: a lost notification costs at most a second. */
export function createDeliveryWaker(ctx: Pick<Core, 'broker' | 'metrics'>): (webhookId: string) => void {
  const point = createPointing(ctx);
  return (webhookId) =>
    point((connection) => publishSequenced(connection, { feeds: [], webhooks: [webhookId] }));
}
