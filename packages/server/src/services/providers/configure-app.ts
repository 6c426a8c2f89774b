import { randomBytes } from 'node:crypto';
import { findProvider, providers, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { wholeService, type Actor } from '../../store/audit/actor.ts';
import { countConnected } from '../../store/connections/connections.ts';
import { inTransaction } from '../../store/database/database.ts';
import { deleteLivePushSetUp, lockProviderApp } from '../../store/connections/provider-app-changes.ts';
import {
  findProviderApp,
  writeProviderApp,
  type ProviderApp,
} from '../../store/connections/provider-apps.ts';
import { record } from '../audit/record.ts';
import { AppProblem } from './app-problem.ts';
import { appSeal, type AppSecrets } from './find-app.ts';

export interface NewApp extends Omit<AppSecrets, 'pushSecret'> {
  provider: string;
  clientId: string;
  /** Changes the client ID even if users are connected with the previous one. Their consents end with it. */
  force: boolean;
}

/** Stores the app registered with a provider, replacing the previous one on all nodes immediately. */
export async function configureApp(
  ctx: Pick<Context, 'operator' | 'keyring' | 'newId'>,
  actor: Actor,
  { provider: id, clientId, clientSecret, settings, force }: NewApp,
): Promise<void> {
  const provider = findProvider(id);
  if (!provider)
    throw new AppProblem(
      `Unknown provider ${id}. Supported providers: ${providers.map((known) => known.id).join(', ')}.`,
    );
  checkSettings(provider, settings);
  await inTransaction(ctx.operator, async (tx) => {
    await lockProviderApp(tx, id);
    const before = await findProviderApp(tx, id);
    if (before && before.clientId !== clientId) {
      const connected = await countConnected(tx, { environment: 'live', provider: id });
      if (connected > 0 && !force)
        throw new AppProblem(
          `${connected === 1 ? '1 user is' : `${connected} users are`} connected to ${provider.name} with client id ${before.clientId}. ` +
            'Their authorizations do not work with another client id, and they would have to connect again. Pass --force to change it anyway.',
        );
      await deleteLivePushSetUp(tx, id);
    }
    const secrets: AppSecrets = {
      clientSecret,
      settings,
      pushSecret: (before && knownPushSecret(ctx, before)) ?? randomBytes(32).toString('base64url'),
    };
    const sealed = ctx.keyring.encrypt(Buffer.from(JSON.stringify(secrets)), appSeal(id));
    await writeProviderApp(tx, { provider: id, clientId, sealed });
    await record(
      ctx,
      tx,
      { accountId: wholeService, environment: null, actor },
      {
        action: 'provider.configured',
        target: { type: 'provider', id },
        data: { client_id: clientId, settings: Object.keys(settings).toSorted() },
      },
    );
  });
}

/** Null if it was encrypted with a key that is no longer available. */
function knownPushSecret(
  { keyring }: Pick<Context, 'keyring'>,
  { provider, sealed }: ProviderApp,
): string | null {
  try {
    return (JSON.parse(keyring.decrypt(sealed, appSeal(provider)).toString()) as AppSecrets).pushSecret;
  } catch {
    return null;
  }
}

function checkSettings({ name, settings: known = [] }: Provider, settings: Record<string, string>): void {
  const unknown = Object.keys(settings).filter((setting) => !known.some((one) => one.name === setting));
  if (unknown.length === 0) return;
  const offer =
    known.length === 0
      ? 'It has no settings. Remove --setting and --setting-file.'
      : `Its settings: ${known.map((setting) => `${setting.name} (${setting.about})`).join(', ')}.`;
  throw new AppProblem(`${name} has no setting ${unknown.join(', ')}. ${offer}`);
}
