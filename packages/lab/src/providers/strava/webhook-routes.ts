import type { FastifyInstance } from 'fastify';
import { clientOf } from '../../oauth/client-of.ts';
import type { Frame } from '../../provider.ts';
import { policy } from './policy.ts';
import { badRequest, notFound, unauthorized } from './refusal.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

type Fields = Record<string, string | undefined>;

const path = '/api/v3/push_subscriptions';
const mostCharacters = 2000;

/** The subscription of an app, which authenticates with its id and secret instead of a user's token. */
export function serveWebhooks(app: FastifyInstance, frame: Frame, subscriptions: Subscriptions): void {
  const appOf = (fields: Fields): string => {
    const isPlain = [fields['client_id'], fields['client_secret']].every(
      (value) => typeof value === 'string',
    );
    const client = isPlain ? clientOf(policy, fields, undefined, frame.app) : null;
    if (!client) throw unauthorized('Application', 'client_id');
    return client.clientId;
  };

  app.post(path, async (request, reply) => {
    const fields = (request.body ?? {}) as Fields;
    const clientId = appOf(fields);
    const [callbackUrl, verifyToken] = ['callback_url', 'verify_token'].map((name) => {
      const value = fields[name];
      if (typeof value !== 'string' || value === '' || value.length > mostCharacters)
        throw badRequest('PushSubscription', name, 'missing');
      return value;
    }) as [string, string];
    const { id } = await subscriptions.add(clientId, callbackUrl, verifyToken);
    return reply.code(201).send({ id });
  });

  app.get<{ Querystring: Fields }>(path, (request, reply) => {
    const subscription = subscriptions.find(appOf(request.query));
    return reply.send(subscription ? [toWire(subscription)] : []);
  });

  app.delete<{ Params: { id: string }; Querystring: Fields; Body: Fields | undefined }>(
    `${path}/:id`,
    (request, reply) => {
      const clientId = appOf(request.query);
      if (!/^\d{1,15}$/.test(request.params.id)) throw notFound('PushSubscription');
      subscriptions.remove(clientId, Number(request.params.id));
      return reply.code(204).send();
    },
  );
}

function toWire({ id, callbackUrl }: Subscription): Record<string, unknown> {
  return { id, callback_url: callbackUrl };
}
