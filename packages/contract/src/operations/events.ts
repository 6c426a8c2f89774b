import { Type } from 'typebox';
import { EventFeed, eventTypes, exampleEvent } from '../event.ts';
import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';

export const listEvents = {
  operationId: 'listEvents',
  summary: 'Read the feed of events',
  description:
    'Everything that happened in the environment of the key, in one order, from the beginning or from a cursor. Keep the `cursor` of the answer and send it with the next call: no event is ever missed, however many are written at the same time. Events are kept for 400 days.',
  tags: ['Events'],
  querystring: Type.Object(
    {
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'The `cursor` of the answer before; absent: from the first event that is kept',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Events an answer, at most; default 100' }),
      ),
      type: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description: `Only events of these types, comma-separated: ${eventTypes.map((type) => `\`${type}\``).join(', ')}`,
        }),
      ),
      user_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Only events of this user' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The events after the cursor', RefTo(EventFeed), {
      events: [exampleEvent],
      cursor: 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg',
      has_more: false,
    }),
    ...errors('invalid_request', 'invalid_cursor', 'invalid_filter', ...authenticatedErrors),
  },
} satisfies Operation;
