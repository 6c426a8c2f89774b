import type { Context } from '../../context.ts';
import { createPointing } from '../../stream/pointer-stream.ts';
import { publishSequenced } from '../../stream/sequenced-stream.ts';

/** A way to point the deliverers at a webhook with something due. Never waits and never fails: a lost pointer only costs a second. */
export function createDeliveryWaker(ctx: Pick<Context, 'broker' | 'metrics'>): (webhookId: string) => void {
  const point = createPointing(ctx);
  return (webhookId) =>
    point((connection) => publishSequenced(connection, { feeds: [], webhooks: [webhookId] }));
}
