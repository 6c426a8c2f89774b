import { Type } from 'typebox';
import { authenticatedErrors } from '../operation.ts';
import { exampleWebhook } from '../webhook.ts';

export const WebhookPath = Type.Object({
  id: Type.String({ description: 'Webhook identifier', examples: [exampleWebhook.id] }),
});

export const NoQuery = Type.Object({}, { additionalProperties: false });

/** The errors of any call about one webhook. */
export const ofOneWebhook = ['invalid_request', ...authenticatedErrors, 'not_found'] as const;
