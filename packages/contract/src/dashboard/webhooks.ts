import { Type, type Static } from 'typebox';
import { Nullable, Timestamp } from '../schema.ts';
import { Count, InEnvironment } from './environment.ts';

/** How an endpoint has been doing; what it is, the public API tells. */
const WebhookHealth = Type.Object({
  id: Type.String(),
  hours: Type.Array(Type.Object({ at: Timestamp, delivered: Type.Integer(), failed: Type.Integer() }), {
    description: 'The last 24 hours, oldest first; the last one is still running',
  }),
  approximate: Type.Boolean({
    description: 'The hours are worked out from some of the events, because they are many',
  }),
  waiting: Count,
  oldest_waiting_at: Nullable(Timestamp),
  last_answer: Nullable(
    Type.Object({
      status: Nullable(Type.Integer()),
      at: Timestamp,
      error: Nullable(Type.String()),
    }),
  ),
});
export type WebhookHealthWire = Static<typeof WebhookHealth>;

export const webhookHealthOperations = {
  listWebhookHealth: {
    querystring: InEnvironment,
    response: { 200: Type.Object({ data: Type.Array(WebhookHealth) }) },
  },
};
