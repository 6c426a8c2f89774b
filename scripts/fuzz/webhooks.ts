import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';
import type { Tenant } from './tenant.ts';

/** An address without a listener, so deliveries fail immediately. */
export const fuzzedUrl = 'http://127.0.0.1:9/hooks';

/** Changes a request about webhooks so that it refers to an existing webhook and delivery, with a sensible body. */
export function makeSensibleWebhook(
  request: FuzzRequest,
  path: string,
  random: Random,
  tenant: Tenant,
): void {
  // The first one is never removed, so that one always exists.
  const isRemoval = request.operationId === 'deleteWebhook';
  const { id, eventId } = random.pick(
    isRemoval && tenant.webhooks.length > 1 ? tenant.webhooks.slice(1) : tenant.webhooks,
  );
  request.path = path.replace('{id}', id).replace('{event_id}', eventId);
  if (request.operationId === 'listDeliveries') {
    request.query = request.query.filter(([name]) => name !== 'cursor'); // known cursors belong to lists of users
    if (random.chance(0.5))
      request.query.push(['status', random.pick(['pending', 'succeeded', 'failed', 'merged'])]);
  }
  if (request.operationId === 'recoverWebhook')
    request.body = random.pick([{ since: '2026-03-01T07:00:00+01:00' }, { cursor: tenant.feedCursor }]);
  if (request.operationId === 'createWebhook') (request.body as { url: string }).url = fuzzedUrl;
  if (request.operationId === 'updateWebhook') request.body = sensibleChange(request.body as object, random);
}

/** Changes a known field, and gives the status under only one name. */
function sensibleChange(body: { url?: string; status?: string; active?: boolean }, random: Random): object {
  const { active, ...rest } = body;
  if (rest.url !== undefined) rest.url = fuzzedUrl;
  if (rest.status === undefined && active !== undefined) return { ...rest, active };
  // Most webhooks stay active, so that there are some to test and to recover.
  if (rest.status !== undefined && random.chance(0.8)) rest.status = 'active';
  return Object.keys(rest).length > 0 ? rest : { rate_limit: null };
}
