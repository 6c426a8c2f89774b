import { Type } from 'typebox';
import { EventFeed, exampleEvent, positionEvent } from '../resources/event.ts';
import { eventTypes } from '../names.ts';
import {
  jsonResponse,
  authenticatedErrors,
  errors,
  streamResponse,
  type Operation,
} from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { cursorParameter } from './read-parameters.ts';

/** Filters of both the feed and the live stream. */
const filters = {
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: `Only events of these types, comma-separated: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`,
    }),
  ),
  user_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only events of this user.' }),
  ),
};

const exampleCursor = 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg';

export const listEvents = {
  operationId: 'listEvents',
  summary: 'List events',
  description:
    "Returns all events in the key's environment in one order, from the beginning or from a cursor. Store the returned `cursor` and send it with " +
    'the next request. No event is ever missed, even when many are written at the same time. Events are retained for 400 days.',
  tags: ['Events'],
  querystring: Type.Object(
    {
      cursor: cursorParameter(
        'The `cursor` of the previous response. Default: start with the first retained event.',
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Events per page, 1 to 1000. Default 100.' }),
      ),
      ...filters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The events after the cursor.', RefTo(EventFeed), {
      events: [exampleEvent],
      cursor: exampleCursor,
      has_more: false,
    }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors),
  },
} satisfies Operation;

export const streamEvents = {
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'Streams server-sent events. Each message has the type of an event, the event itself as the feed returns it, and the cursor after it as its ' +
    `id. Messages of type \`${positionEvent}\`, which include the first message of every stream, are not events: they report the reader's ` +
    'position. Send the last id as `Last-Event-ID` when you reconnect, as clients for server-sent events do automatically, and nothing is missed ' +
    'or repeated. The stream ends when the key ends or a server stops. If there is nothing else to send, the server sends a line that starts ' +
    'with a colon every 15 seconds.',
  tags: ['Events'],
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'The id of the last message of the previous stream. Takes precedence over `cursor`.',
      }),
    ),
  }),
  querystring: Type.Object(
    {
      cursor: cursorParameter('A `cursor` of the feed, or the id of a message. Default: start from now.'),
      ...filters,
    },
    { additionalProperties: false },
  ),
  response: {
    200: streamResponse(
      'The events after the cursor, as they occur.',
      `retry: 1483\nevent: ${positionEvent}\ndata: {"cursor":"${exampleCursor}"}\nid: ${exampleCursor}\n\nevent: ${exampleEvent.event_type}\ndata: ${JSON.stringify(exampleEvent)}\nid: ${exampleCursor}\n\n:\n`,
    ),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors),
  },
} satisfies Operation;
