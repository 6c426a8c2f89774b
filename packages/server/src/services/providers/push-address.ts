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
): string {
  const secret = app.pushSecret ?? deriveSecret(keyring, environment, provider, app, keyring.newestVersion);
  return `${config.http.publicUrl}/push/${environment}/${provider}/${secret}`;
}

/** Whether the secret of a path is the one of this application; where it is derived, by whatever key that is still known. */
export function isPushSecret(
  { keyring }: Pick<Context, 'keyring'>,
  environment: Environment,
  provider: string,
  app: App,
  presented: string,
): boolean {
  if (app.pushSecret !== undefined) return isSame(app.pushSecret, presented);
  const version = /^\d{1,4}(?=\.)/.exec(presented)?.[0];
  if (version === undefined) return false;
  try {
    return isSame(deriveSecret(keyring, environment, provider, app, Number(version)), presented);
  } catch {
    return false; // a key that is known no more
  }
}

function isSame(expected: string, presented: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(presented)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The lab's application is kept nowhere, so the secret follows from the key. */
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
