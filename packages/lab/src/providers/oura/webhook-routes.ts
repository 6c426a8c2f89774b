import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSameSecret } from '../../oauth/secrets.ts';
import type { Frame } from '../../provider.ts';
import { OuraRefusal } from './refusal.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

interface ById {
  Params: { id: string };
}

const base = '/api/v2/webhook/subscription';

/** Subscriptions of apps, which authenticate with their id and secret instead of a user's token. */
export function serveWebhooks(app: FastifyInstance, frame: Frame, subscriptions: Subscriptions): void {
  const clientOf = (request: FastifyRequest): string => {
    const clientId = String(request.headers['x-client-id'] ?? '');
    const known = frame.app(clientId);
    if (!known || !isSameSecret(String(request.headers['x-client-secret'] ?? ''), known.clientSecret))
      throw new OuraRefusal(401, 'Incorrect x-client-id or x-client-secret.');
    return clientId;
  };

  app.get(base, (request) => subscriptions.list(clientOf(request)).map(toWire));
  app.post(base, async (request, reply) => {
    const subscription = await subscriptions.keep(clientOf(request), bodyOf(request));
    return reply.code(201).send(toWire(subscription));
  });
  app.get<ById>(`${base}/:id`, (request) => toWire(subscriptions.get(clientOf(request), request.params.id)));
  app.put<ById>(`${base}/:id`, async (request) => {
    const clientId = clientOf(request);
    const { callbackUrl, verificationToken, eventType, dataType } = subscriptions.get(
      clientId,
      request.params.id,
    );
    const before = {
      callback_url: callbackUrl,
      verification_token: verificationToken,
      event_type: eventType,
      data_type: dataType,
    };
    return toWire(await subscriptions.keep(clientId, { ...before, ...bodyOf(request) }, request.params.id));
  });
  app.put<ById>(`${base}/renew/:id`, (request) =>
    toWire(subscriptions.renew(clientOf(request), request.params.id)),
  );
  app.delete<ById>(`${base}/:id`, (request, reply) => {
    subscriptions.remove(subscriptions.get(clientOf(request), request.params.id).id);
    return reply.code(204).send();
  });
}

function toWire(subscription: Subscription): Record<string, string> {
  return {
    id: subscription.id,
    callback_url: subscription.callbackUrl,
    event_type: subscription.eventType,
    data_type: subscription.dataType,
    expiration_time: new Date(subscription.expiresAt).toISOString(),
  };
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  return request.body !== null && typeof request.body === 'object'
    ? (request.body as Record<string, unknown>)
    : {};
}
