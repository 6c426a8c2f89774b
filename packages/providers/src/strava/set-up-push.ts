import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, listOf } from '../mapping/read.ts';
import type { AppApi, Push } from '../provider.ts';
import { verifyTokenOf } from './signature.ts';

/** Ensures that the app's single subscription points to `url`. Any other subscription is removed. */
export const setUp: NonNullable<Push['setUp']> = async (api, { url }) => {
  const { clientId, clientSecret } = api.app;
  const client = { client_id: clientId, client_secret: clientSecret };
  let id: string | null = null;
  for (const subscription of await listSubscriptions(api, client)) {
    if (subscription.callbackUrl === url) id = subscription.id;
    else await remove(api, client, subscription.id);
  }
  if (id === null) {
    const form = { ...client, callback_url: url, verify_token: verifyTokenOf(clientSecret) };
    const response = await api.send({ method: 'POST', url: addressOf(api), form, bare: true });
    id = idOf(fieldsOf(jsonOf(response))['id']);
  }
  if (id === null) throw new ProviderFailure('unavailable', 'the response has no subscription id');
  return { subscription_id: id };
};

type Client = Readonly<Record<'client_id' | 'client_secret', string>>;

async function listSubscriptions(api: AppApi, client: Client) {
  const response = await api.send({ method: 'GET', url: addressOf(api), query: client, bare: true });
  return listOf(jsonOf(response)).flatMap((one) => {
    const { id, callback_url: callbackUrl } = fieldsOf(one);
    const known = idOf(id);
    return known === null ? [] : [{ id: known, callbackUrl }];
  });
}

async function remove(api: AppApi, client: Client, id: string): Promise<void> {
  const url = `${addressOf(api)}/${encodeURIComponent(id)}`;
  try {
    await api.send({ method: 'DELETE', url, query: client, bare: true });
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof ProviderFailure) || error.kind !== 'gone') throw error;
  }
}

function addressOf({ app }: AppApi): string {
  return `${app.hosts['www']}/api/v3/push_subscriptions`;
}
