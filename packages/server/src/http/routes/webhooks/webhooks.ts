import { ApiError, operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { createWebhook } from '../../../services/webhooks/create-webhook.ts';
import { deleteWebhook } from '../../../services/webhooks/delete-webhook.ts';
import { getWebhook } from '../../../services/webhooks/get-webhook.ts';
import { rotateSecret } from '../../../services/webhooks/rotate-secret.ts';
import { updateWebhook } from '../../../services/webhooks/update-webhook.ts';
import { toListedWebhookWire, toWebhookWire } from '../../../services/webhooks/webhook-wire.ts';
import { listWebhooks, type WebhookChanges } from '../../../store/webhooks/webhooks.ts';
import type { App } from '../../frame/app-type.ts';
import { actingOf, callerOf } from '../../frame/auth.ts';
import { webhookIdOf } from '../../parameters/webhook-id.ts';

const defaultCoalesceSeconds = 1;

export function registerWebhookRoutes(app: App, ctx: Context): void {
  app.get('/v1/webhooks', { schema: operations.listWebhooks }, async (request) => {
    const webhooks = await listWebhooks(ctx.db, callerOf(request).tenant);
    return { data: webhooks.map(toListedWebhookWire) };
  });

  app.post('/v1/webhooks', { schema: operations.createWebhook }, async (request, reply) => {
    const { url, events, status, coalesce_seconds: seconds, rate_limit: rateLimit } = request.body;
    const { webhook, secret } = await createWebhook(ctx, actingOf(request), {
      url,
      events,
      status: status ?? 'active',
      coalesceSeconds: seconds ?? defaultCoalesceSeconds,
      rateLimit: rateLimit ?? null,
    });
    return reply.code(201).send({ data: { ...toWebhookWire(webhook), secret } });
  });

  app.get('/v1/webhooks/:id', { schema: operations.getWebhook }, async (request) => {
    const webhook = await getWebhook(ctx, callerOf(request).tenant, webhookIdOf(request.params.id));
    return { data: toWebhookWire(webhook) };
  });

  app.patch('/v1/webhooks/:id', { schema: operations.updateWebhook }, async (request) => {
    const changes = changesIn(request.body);
    const id = webhookIdOf(request.params.id);
    return { data: toWebhookWire(await updateWebhook(ctx, actingOf(request), id, changes)) };
  });

  app.delete('/v1/webhooks/:id', { schema: operations.deleteWebhook }, async (request, reply) => {
    await deleteWebhook(ctx, actingOf(request), webhookIdOf(request.params.id));
    return reply.code(204).send();
  });

  app.post('/v1/webhooks/:id/rotate-secret', { schema: operations.rotateWebhookSecret }, async (request) => {
    const { id } = request.params;
    const { secret, previousValidUntil } = await rotateSecret(ctx, actingOf(request), webhookIdOf(id));
    return { data: { id, secret, previous_secret_valid_until: previousValidUntil } };
  });
}

interface UpdateBody extends Omit<WebhookChanges, 'coalesceSeconds' | 'rateLimit'> {
  active?: boolean;
  coalesce_seconds?: number;
  rate_limit?: number | null;
}

/** The changes in a body. The status has two names; both are accepted when they agree. */
function changesIn(body: UpdateBody): WebhookChanges {
  const { url, events, active, coalesce_seconds: coalesceSeconds, rate_limit: rateLimit } = body;
  const statusFromActive = active === undefined ? undefined : active ? 'active' : 'inactive';
  const status = body.status ?? statusFromActive;
  if (statusFromActive !== undefined && statusFromActive !== status)
    throw invalidBody('active', `must agree with \`status\`, which is ${status}`);
  const changes = Object.fromEntries(
    Object.entries({ url, events, status, coalesceSeconds, rateLimit }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  if (Object.keys(changes).length === 0)
    throw invalidBody(
      '',
      'must contain at least one of url, events, status, active, coalesce_seconds, rate_limit',
    );
  return changes;
}

function invalidBody(name: string, problem: string): ApiError {
  return new ApiError('invalid_request', {
    message: `${name ? `Body field \`${name}\`` : 'The body'} ${problem}.`,
    details: { fields: [{ in: 'body', name, problem }] },
  });
}
