import { sign } from 'node:crypto';
import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, textOf } from '../mapping/read.ts';
import type { AppApi } from '../provider.ts';

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const lifeSeconds = 3600;

/** A token that manages the subscribers of the project: that of a service account, or in a lab that of the app itself. */
export async function requestProjectToken(api: AppApi): Promise<string> {
  const url = `${api.app.hosts['oauth2']}/token`;
  const key = api.app.settings['service_account'] ?? '';
  const form = key.trimStart().startsWith('{')
    ? {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertionOf(key, url, Math.floor(api.now() / 1000)),
      }
    : {
        grant_type: 'client_credentials',
        client_id: api.app.clientId,
        client_secret: api.app.clientSecret,
        scope,
      };
  const response = await api.send({ method: 'POST', url, form, bare: true }).catch((error: unknown) => {
    // No user's consent is affected: Google also returns invalid_grant for a bad signature or a deleted service account.
    if (error instanceof ProviderFailure && error.kind === 'consent_ended')
      throw new ProviderFailure('refused', 'Google rejected the service account');
    throw error;
  });
  const token = fieldsOf(jsonOf(response))['access_token'];
  if (typeof token !== 'string' || token === '')
    throw new ProviderFailure('unavailable', 'the response has no token');
  return token;
}

/** A signed assertion of the service account's identity, valid for one hour. */
function assertionOf(keyFile: string, audience: string, nowSeconds: number): string {
  try {
    const { client_email: email, private_key: key } = fieldsOf(JSON.parse(keyFile));
    const claims = {
      iss: textOf(email) ?? '',
      scope,
      aud: audience,
      iat: nowSeconds,
      exp: nowSeconds + lifeSeconds,
    };
    const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${sign('sha256', Buffer.from(text), String(key)).toString('base64url')}`;
  } catch {
    throw new ProviderFailure('refused', 'the setting service_account is not a service account key file');
  }
}
