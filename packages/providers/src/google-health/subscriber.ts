import { createHash, createHmac } from 'node:crypto';
import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import type { App, AppApi, Call, PushState } from '../provider.ts';
import { requestProjectToken } from './project-token.ts';
import { streams } from './streams.ts';

/** All streams except these have pushes. */
const unpushed = new Set([
  'active-energy-burned',
  'basal-energy-burned',
  'active-minutes',
  'oxygen-saturation',
  'core-body-temperature',
  'vo2-max',
  'daily-vo2-max',
]);
const pushed = streams.map(({ name }) => name).filter((name) => !unpushed.has(name));

/**
 * The authorization that pushes must carry. It is derived from the app's secret, because Google requests it while the subscriber is created, before
 * any state is stored.
 */
export function pushSecretOf({ clientId, clientSecret }: App): string {
  const secret = createHmac('sha256', clientSecret).update(`google_health push ${clientId}`).digest('hex');
  return `Bearer ${secret}`;
}

/** Ensures that the project's subscriber pushes every type to this URL: creates it, or fixes what differs or is inactive. */
export async function setUpSubscriber(
  api: AppApi,
  { url, state }: { url: string; state: PushState },
): Promise<PushState> {
  const project = api.app.settings['project_number'] ?? '';
  if (!/^\d+$/.test(project))
    throw new ProviderFailure('refused', 'the setting project_number is not a project number');
  const token = await requestProjectToken(api);
  const base = `${api.app.hosts['health']}/v4/projects/${project}/subscribers`;
  const sendRequest = async (call: Omit<Call, 'bare' | 'headers'>): Promise<Fields> =>
    fieldsOf(jsonOf(await api.send({ ...call, bare: true, headers: { authorization: `Bearer ${token}` } })));
  const secret = pushSecretOf(api.app);
  const wanted = {
    endpointUri: url,
    subscriberConfigs: [{ dataTypes: pushed, subscriptionCreatePolicy: 'AUTOMATIC' }],
    endpointAuthorization: { secret },
  };

  const subscriber = await findSubscriber(sendRequest, base, [state['subscriber'] ?? '', idFor(url)]);
  const id = subscriber ? idOf(subscriber) : idFor(url);
  const newState = { subscriber: id, secret: digestOf(secret) };
  if (subscriber && state['secret'] === newState.secret && isRight(subscriber, url)) return newState;
  const operation = subscriber
    ? await sendRequest({
        method: 'PATCH',
        url: `${base}/${id}`,
        query: { updateMask: Object.keys(wanted).join(',') },
        json: wanted,
      })
    : await sendRequest({ method: 'POST', url: base, query: { subscriberId: id }, json: wanted });
  if (operation['error'] !== undefined)
    throw new ProviderFailure('refused', 'Google rejected the subscriber');
  return newState;
}

type SendRequest = (call: Omit<Call, 'bare' | 'headers'>) => Promise<Fields>;

async function findSubscriber(
  sendRequest: SendRequest,
  base: string,
  ids: readonly string[],
): Promise<Fields | undefined> {
  const all: Fields[] = [];
  let pageToken: string | undefined;
  do {
    const page = await sendRequest({ method: 'GET', url: base, query: { pageToken } });
    all.push(...listOf(page['subscribers']).map(fieldsOf));
    pageToken = textOf(page['nextPageToken']) === null ? undefined : String(page['nextPageToken']);
  } while (pageToken !== undefined);
  return ids.map((id) => all.find((one) => idOf(one) === id)).find((one) => one !== undefined);
}

/** The API never returns the secret, so only the state shows whether it is right. */
function isRight({ endpointUri, state, subscriberConfigs }: Fields, url: string): boolean {
  const subscribedTypes = new Set(
    listOf(subscriberConfigs).flatMap((config) => listOf(fieldsOf(config)['dataTypes'])),
  );
  return endpointUri === url && state !== 'INACTIVE' && pushed.every((type) => subscribedTypes.has(type));
}

function idOf({ name }: Fields): string {
  return textOf(name)?.split('/').at(-1) ?? '';
}

/** The same id for the same URL, so that a retry finds the subscriber of the first attempt. */
function idFor(url: string): string {
  return `tributary-${digestOf(url).slice(0, 12)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
