import { Type } from 'typebox';
import { authenticatedErrors } from '../openapi/operation.ts';
import { exampleWebhook } from '../resources/webhook.ts';

export const WebhookPath = Type.Object({
  id: Type.String({ description: 'Webhook identifier.', examples: [exampleWebhook.id] }),
});

export const NoQuery = Type.Object({}, { additionalProperties: false });

/** Errors of all operations on a single webhook. */
export const ofOneWebhook = ['invalid_request', ...authenticatedErrors, 'not_found'] as const;
