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
  const ask = (call: Pick<Call, 'method' | 'url' | 'json'>) => api.send({ ...call, headers, bare: true });

  const listed = await ask({ method: 'GET', url: base });
  const found = listed.status === 204 ? null : webhookOf(fieldsOf(jsonOf(listed))['data']);
  const id = idOf(found?.['id']);
  if (found && id !== null && id === state['id'] && state['secret']) {
    const told = new Set(listOf(found['events']));
    if (found['url'] !== url || events.some((event) => !told.has(event)))
      await ask({ method: 'PATCH', url: `${base}/${encodeURIComponent(id)}`, json: { events, url } });
    // After seven days of failures it is deactivated.
    if (found['active'] === false) await ask({ method: 'POST', url: `${base}/activate` });
    return state;
  }
  if (id !== null) await ask({ method: 'DELETE', url: `${base}/${encodeURIComponent(id)}` });
  const made = fieldsOf(
    fieldsOf(jsonOf(await ask({ method: 'POST', url: base, json: { events, url } })))['data'],
  );
  const secret = textOf(made['signature_secret_key']);
  const madeId = idOf(made['id']);
  if (secret === null || madeId === null)
    throw new ProviderFailure('unavailable', 'the response has no webhook secret');
  return { id: madeId, secret };
}

/** Returned as a list, although there can be only one. */
function webhookOf(data: unknown): Fields | null {
  const [first] = Array.isArray(data) ? (data as unknown[]) : [data];
  return first === undefined || first === null ? null : fieldsOf(first);
}
