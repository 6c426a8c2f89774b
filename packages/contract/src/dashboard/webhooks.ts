import { Type, type Static } from 'typebox';
import { Nullable, Timestamp } from '../openapi/schema.ts';
import { Count, InEnvironment } from './environment.ts';

/** Delivery health of an endpoint. The public API returns its settings. */
const WebhookHealth = Type.Object({
  id: Type.String(),
  hours: Type.Array(Type.Object({ at: Timestamp, delivered: Type.Integer(), failed: Type.Integer() }), {
    description: 'The last 24 hours, oldest first; the last one is in progress',
  }),
  approximate: Type.Boolean({
    description: 'Hours are estimated from a sample of the events, because there are many',
  }),
  waiting: Count,
  oldest_waiting_at: Nullable(Timestamp),
  last_response: Nullable(
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
