import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSameSecret } from '../../oauth/secrets.ts';
import type { Frame } from '../../provider.ts';
import { PolarRefusal } from './refusal.ts';
import type { Webhook, Webhooks } from './webhooks.ts';

interface ById {
  Params: { id: string };
}

const base = '/www/v3/webhooks';

/** The single webhook of an app, which authenticates with its id and secret instead of a user's token. */
export function serveWebhooks(app: FastifyInstance, frame: Frame, webhooks: Webhooks): void {
  const clientOf = ({ headers }: FastifyRequest): string => {
    const encoded = /^basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const known = frame.app(id);
    if (!known || !isSameSecret(rest.join(':'), known.clientSecret))
      throw new PolarRefusal(401, 'Send the client id and client secret with Basic authentication.');
    return id;
  };

  app.get(base, (request) => {
    const webhook = webhooks.find(clientOf(request));
    return { data: webhook ? [toWire(webhook)] : [] };
  });
  app.post(base, async (request, reply) => {
    const created = await webhooks.create(clientOf(request), bodyOf(request));
    const { id, events, url, secret } = created;
    // The secret is returned only here.
    return reply.code(201).send({ data: { id, events, url, signature_secret_key: secret } });
  });
  app.patch<ById>(`${base}/:id`, async (request) => {
    const webhook = webhooks.get(clientOf(request), request.params.id);
    return { data: toWire(await webhooks.update(webhook, bodyOf(request))) };
  });
  app.delete<ById>(`${base}/:id`, (request, reply) => {
    const clientId = clientOf(request);
    webhooks.get(clientId, request.params.id);
    webhooks.remove(clientId);
    return reply.code(204).send();
  });
  app.post(`${base}/activate`, async (request, reply) => {
    await webhooks.activate(webhooks.get(clientOf(request)));
    return reply.code(200).send();
  });
  app.post(`${base}/deactivate`, (request, reply) => {
    webhooks.get(clientOf(request)).isActive = false;
    return reply.code(200).send();
  });
}

function toWire({ id, events, url, isActive }: Webhook): Record<string, unknown> {
  return { id, events, url, active: isActive };
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
}
