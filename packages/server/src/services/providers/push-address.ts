import { timingSafeEqual } from 'node:crypto';
import type { App } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Environment } from '../../store/tenant.ts';

const purpose = 'push-path';

/** Where a provider pushes to. The path holds a secret, since not every provider signs what it sends. */
export function pushUrlOf(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  environment: Environment,
  provider: string,
  app: App,
  version = keyring.newestVersion,
): string {
  const secret = keyring
    .derive(contentOf(environment, provider, app), purpose, version)
    .toString('base64url');
  return `${config.http.publicUrl}/push/${environment}/${provider}/${version}.${secret}`;
}

/** Whether the secret of a path is the one of this application, by whatever key that is still known. */
export function isPushSecret(
  { keyring }: Pick<Context, 'keyring'>,
  environment: Environment,
  provider: string,
  app: App,
  presented: string,
): boolean {
  const [, version, secret] = /^(\d{1,4})\.([\w-]{43})$/.exec(presented) ?? [];
  if (version === undefined || secret === undefined) return false;
  try {
    const expected = keyring.derive(contentOf(environment, provider, app), purpose, Number(version));
    return timingSafeEqual(expected, Buffer.from(secret, 'base64url'));
  } catch {
    return false; // a key that is known no more
  }
}

function contentOf(environment: Environment, provider: string, app: App): string {
  return `${environment}/${provider}/${app.clientId}`;
}
