import { createHmac } from 'node:crypto';
import { dayMs } from '@tributary/domain';
import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, instantOf, textOf } from '../mapping/read.ts';
import type { App, AppApi, Call, PushState } from '../provider.ts';
import { apiUrl } from './api-url.ts';
import { streams } from './streams.ts';

const path = '/v2/webhook/subscription';
/** They live for about 90 days. */
const renewBeforeMs = 30 * dayMs;

interface Subscription {
  id: string;
  dataType: string;
  eventType: string;
  callbackUrl: string;
  endsAtMs: number;
}

/** Subscribes to everything that streams can read by id, with one subscription per data type and event. */
export async function setUp(api: AppApi, { url }: { url: string; state: PushState }): Promise<PushState> {
  const existing = await listSubscriptions(api);
  for (const wanted of wantedPairs()) {
    const [first, ...doubles] = existing.filter(
      ({ dataType, eventType }) => dataType === wanted.data_type && eventType === wanted.event_type,
    );
    for (const { id } of doubles) await send(api, 'DELETE', `/${id}`);
    const json = { callback_url: url, verification_token: verificationTokenOf(api.app), ...wanted };
    if (!first) await send(api, 'POST', '', json);
    else if (first.callbackUrl !== url) await send(api, 'PUT', `/${first.id}`, json);
    if (first && first.endsAtMs < api.now() + renewBeforeMs) await send(api, 'PUT', `/renew/${first.id}`);
  }
  return {};
}

/**
 * The token that Oura must send when it verifies our URL. It is derived from the secret, because Oura verifies while the subscription is created,
 * before any state is stored.
 */
export function verificationTokenOf({ clientSecret }: App): string {
  return createHmac('sha256', clientSecret).update('oura push verification').digest('hex');
}

/** Deletions only matter where they can be applied. */
function wantedPairs(): { data_type: string; event_type: string }[] {
  return streams
    .filter(({ readOne }) => readOne !== null)
    .flatMap(({ name, deletes }) =>
      ['create', 'update', ...(deletes.length > 0 ? ['delete'] : [])].map((event) => ({
        data_type: name,
        event_type: event,
      })),
    );
}

async function listSubscriptions(api: AppApi): Promise<Subscription[]> {
  const listed = await send(api, 'GET', '');
  if (!Array.isArray(listed)) throw new ProviderFailure('unavailable', 'the response has no list');
  return listed.map(fieldsOf).map((one) => ({
    id: encodeURIComponent(idOf(one['id']) ?? ''),
    dataType: textOf(one['data_type']) ?? '',
    eventType: textOf(one['event_type']) ?? '',
    callbackUrl: typeof one['callback_url'] === 'string' ? one['callback_url'] : '',
    endsAtMs: endOf(one['expiration_time']),
  }));
}

/** A time without an offset is read as UTC. An unreadable one counts as expired. */
function endOf(value: unknown): number {
  return instantOf(value) ?? instantOf(`${String(value)}Z`) ?? 0;
}

async function send(api: AppApi, method: Call['method'], rest: string, json?: unknown): Promise<unknown> {
  const { clientId, clientSecret } = api.app;
  const response = await api.send({
    method,
    url: apiUrl(api.app, `${path}${rest}`),
    headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret },
    ...(json !== undefined && { json }),
    bare: true,
  });
  return method === 'GET' ? jsonOf(response) : null;
}
