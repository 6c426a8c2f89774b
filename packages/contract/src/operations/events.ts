import { Type } from 'typebox';
import { EventFeed, exampleEvent, positionEvent } from '../event.ts';
import { eventTypes } from '../names.ts';
import { answer, authenticatedErrors, errors, streamAnswer, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';

/** Which events are asked for, of the feed and of the stream alike. */
const filters = {
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
};

const exampleCursor = 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg';

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
      ...filters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The events after the cursor', RefTo(EventFeed), {
      events: [exampleEvent],
      cursor: exampleCursor,
      has_more: false,
    }),
    ...errors('invalid_request', 'invalid_cursor', 'invalid_filter', ...authenticatedErrors),
  },
} satisfies Operation;

export const streamEvents = {
  operationId: 'streamEvents',
  summary: 'Follow the feed of events live',
  description: `Server-sent events: each message has the type of an event, the event itself as the feed shows it, and as its id the cursor after it. Messages of the type \`${positionEvent}\`, the first of every stream among them, are no events: they tell how far the reader has come. Send the last id as \`Last-Event-ID\` when you come back, as clients for server-sent events do by themselves, and nothing is missed or repeated. The stream ends when the key ends or a server is stopped; a line that starts with a colon comes every 15 seconds when nothing else does.`,
  tags: ['Events'],
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'The id of the last message of the stream before; goes before `cursor`',
      }),
    ),
  }),
  querystring: Type.Object(
    {
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'A `cursor` of the feed, or the id of a message; absent: from now on',
        }),
      ),
      ...filters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: streamAnswer(
      'The events after the cursor, as they come',
      `retry: 1483\nevent: ${positionEvent}\ndata: {"cursor":"${exampleCursor}"}\nid: ${exampleCursor}\n\nevent: ${exampleEvent.event_type}\ndata: ${JSON.stringify(exampleEvent)}\nid: ${exampleCursor}\n\n:\n`,
    ),
    ...errors('invalid_request', 'invalid_cursor', 'invalid_filter', ...authenticatedErrors),
  },
} satisfies Operation;
