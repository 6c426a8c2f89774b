import { ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, numberOf } from '../mapping/read.ts';
import type { UserApi } from '../provider.ts';
import { pushKinds } from './push-kinds.ts';
import { callAction } from './call-action.ts';
import { userIdOf } from './tokens.ts';

/** Subscribes to each kind of notification that the consent allows, and returns the user id. */
export async function enroll(api: UserApi, { pushUrl }: { pushUrl: string }): Promise<string> {
  const known = await subscribedKinds(api, pushUrl);
  const missing = pushKinds.filter(
    ({ appli, scope }) => !known.has(appli) && (api.scopes?.includes(scope) ?? true),
  );
  for (const { appli } of missing) {
    const failure = await subscribe(api, pushUrl, appli);
    // Withings verifies the URL before it accepts. If it cannot reach the URL, every other kind would fail too, and polls still work.
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
