import { isSameSecret, type App } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Environment } from '../../store/database/tenant.ts';

const purpose = 'push-path';

/** The URL to which a provider sends pushes. The path contains a secret, because not every provider signs its pushes. */
export function pushUrlOf(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  environment: Environment,
  provider: string,
  app: App,
): string {
  const secret = app.pushSecret ?? deriveSecret(keyring, environment, provider, app, keyring.newestVersion);
  return `${config.http.publicUrl}/push/${environment}/${provider}/${secret}`;
}

/** Returns whether the secret of a path belongs to this app. A derived secret may use any key that is still available. */
export function isPushSecret(
  { keyring }: Pick<Context, 'keyring'>,
  environment: Environment,
  provider: string,
  app: App,
  presented: string,
): boolean {
  if (app.pushSecret !== undefined) return isSameSecret(app.pushSecret, presented);
  const version = /^\d{1,4}(?=\.)/.exec(presented)?.[0];
  if (version === undefined) return false;
  try {
    return isSameSecret(deriveSecret(keyring, environment, provider, app, Number(version)), presented);
  } catch {
    return false; // the key is no longer available
  }
}

/** The lab's app is not stored, so its secret is derived from the key. */
function deriveSecret(
  keyring: Context['keyring'],
  environment: Environment,
  provider: string,
  app: App,
  version: number,
): string {
  const secret = keyring.derive(`${environment}/${provider}/${app.clientId}`, purpose, version);
  return `${version}.${secret.toString('base64url')}`;
}
