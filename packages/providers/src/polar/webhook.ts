import { jsonOf } from '../failure.ts';
import { fieldsOf, idOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import { basicHeader } from '../oauth/authorize-url.ts';
import { ProviderFailure } from '../failure.ts';
import type { AppApi, Call, PushState } from '../provider.ts';

const events = ['EXERCISE', 'SLEEP', 'CONTINUOUS_HEART_RATE', 'ACTIVITY_SUMMARY', 'PHYSICAL_INFORMATION'];

/**
 * Ensures that the app's single webhook pushes to this URL. Its secret is only returned on creation. If the secret is lost, the webhook is replaced.
 */
export async function setUpWebhook(
  api: AppApi,
  { url, state }: { url: string; state: PushState },
): Promise<PushState> {
  const base = `${api.app.hosts['www']}/v3/webhooks`;
  const headers = { authorization: basicHeader(api.app), accept: 'application/json' };
  const sendRequest = (call: Pick<Call, 'method' | 'url' | 'json'>) =>
    api.send({ ...call, headers, bare: true });

  const listed = await sendRequest({ method: 'GET', url: base });
  const webhook = listed.status === 204 ? null : webhookOf(fieldsOf(jsonOf(listed))['data']);
  const id = idOf(webhook?.['id']);
  if (webhook && id !== null && id === state['id'] && state['secret']) {
    const subscribedEvents = new Set(listOf(webhook['events']));
    if (webhook['url'] !== url || events.some((event) => !subscribedEvents.has(event)))
      await sendRequest({ method: 'PATCH', url: `${base}/${encodeURIComponent(id)}`, json: { events, url } });
    // After seven days of failures it is deactivated.
    if (webhook['active'] === false) await sendRequest({ method: 'POST', url: `${base}/activate` });
    return state;
  }
  if (id !== null) await sendRequest({ method: 'DELETE', url: `${base}/${encodeURIComponent(id)}` });
  const createdWebhook = fieldsOf(
    fieldsOf(jsonOf(await sendRequest({ method: 'POST', url: base, json: { events, url } })))['data'],
  );
  const secret = textOf(createdWebhook['signature_secret_key']);
  const createdId = idOf(createdWebhook['id']);
  if (secret === null || createdId === null)
    throw new ProviderFailure('unavailable', 'the response has no webhook secret');
  return { id: createdId, secret };
}

/** Returned as a list, although there can be only one. */
function webhookOf(data: unknown): Fields | null {
  const [first] = Array.isArray(data) ? (data as unknown[]) : [data];
  return first === undefined || first === null ? null : fieldsOf(first);
}
