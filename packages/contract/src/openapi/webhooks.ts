import { Event, exampleEvent } from '../resources/event.ts';
import { RefTo } from './schema.ts';

const header = (name: string, schema: object, description: string, example: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema,
  example,
});

/** The `webhooks` section of the API description: the request that the service sends to an endpoint, with one event. */
export const webhooks = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'The service sends each event that a webhook subscribes to as one request, signed according to Standard Webhooks, and retries it for about three days until the endpoint returns a 2xx status. Verify the signature over the raw bytes of the body, and deduplicate by `webhook-id`.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header(
          'webhook-id',
          { type: 'string' },
          'The `event_id`. It is the same for every attempt.',
          exampleEvent.event_id,
        ),
        header(
          'webhook-timestamp',
          { type: 'string', pattern: '^\\d+$' },
          'When this attempt was signed, in seconds since 1970. Reject requests that are more than five minutes old.',
          '1772435671',
        ),
        header(
          'webhook-signature',
          { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
          '`v1,` and the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined with dots, in base64. While a secret is rotated, there are two signatures, separated by a space.',
          'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: RefTo(Event), examples: { event: { value: exampleEvent } } },
        },
      },
      responses: {
        '2XX': { description: 'The event is stored. The body is ignored.' },
        default: {
          description:
            'The delivery failed. The service retries it, after `Retry-After` if it is set. 410 disables the webhook instead.',
        },
      },
    },
  },
};
