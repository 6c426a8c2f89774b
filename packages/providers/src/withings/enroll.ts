import { ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, numberOf } from '../mapping/read.ts';
import type { UserApi } from '../provider.ts';
import { pushKinds } from './push-kinds.ts';
import { callAction } from './call-action.ts';
import { userIdOf } from './tokens.ts';

/** Subscribes to what the consent opens, each kind once, and tells who the person is. */
export async function enroll(api: UserApi, { pushUrl }: { pushUrl: string }): Promise<string> {
  const known = await subscribedKinds(api, pushUrl);
  const missing = pushKinds.filter(
    ({ appli, scope }) => !known.has(appli) && (api.scopes?.includes(scope) ?? true),
  );
  for (const { appli } of missing) {
    const failure = await subscribe(api, pushUrl, appli);
    // It asks the address itself before it accepts; one that it cannot reach is as bad for every other kind, and polls tell all the same.
    if (failure === 'refused') break;
  }
  return userIdOf(api.tokens) ?? '';
}

async function subscribedKinds(api: UserApi, pushUrl: string): Promise<Set<number>> {
  const body = await callAction(api, '/notify', { action: 'list' });
  const applis = listOf(body['profiles']).flatMap((profile) => {
    const { callbackurl, appli } = fieldsOf(profile);
    return callbackurl === pushUrl ? (numberOf(appli) ?? []) : [];
  });
  return new Set(applis);
}

async function subscribe(api: UserApi, callbackurl: string, appli: number): Promise<string | null> {
  try {
    await callAction(api, '/notify', { action: 'subscribe', callbackurl, appli, comment: 'Tributary' });
    return null;
  } catch (error) {
    if (error instanceof ProviderFailure && (error.kind === 'refused' || error.kind === 'forbidden'))
      return error.kind;
    throw error;
  }
}
