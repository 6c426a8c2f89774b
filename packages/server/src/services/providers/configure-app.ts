import { randomBytes } from 'node:crypto';
import { findProvider, providers, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { wholeService, type Actor } from '../../store/acting.ts';
import { countConnected } from '../../store/connections.ts';
import { inTransaction } from '../../store/database.ts';
import { deleteLivePushSetUp, lockProviderApp } from '../../store/provider-app-changes.ts';
import { findProviderApp, writeProviderApp, type ProviderApp } from '../../store/provider-apps.ts';
import { record } from '../audit/record.ts';
import { AppProblem } from './app-problem.ts';
import { appSeal, type AppSecrets } from './find-app.ts';

export interface NewApp extends Omit<AppSecrets, 'pushSecret'> {
  provider: string;
  clientId: string;
  /** Changes the client id although people have connected by the one before, whose consents end with it. */
  force: boolean;
}

/** Keeps the application that was registered with a provider in place of the one before, for every node at once. */
export async function configureApp(
  ctx: Pick<Context, 'operator' | 'keyring' | 'newId'>,
  actor: Actor,
  { provider: id, clientId, clientSecret, settings, force }: NewApp,
): Promise<void> {
  const provider = findProvider(id);
  if (!provider)
    throw new AppProblem(
      `There is no provider ${id}. Known are ${providers.map((known) => known.id).join(', ')}.`,
    );
  checkSettings(provider, settings);
  await inTransaction(ctx.operator, async (tx) => {
    await lockProviderApp(tx, id);
    const before = await findProviderApp(tx, id);
    if (before && before.clientId !== clientId) {
      const connected = await countConnected(tx, { environment: 'live', provider: id });
      if (connected > 0 && !force)
        throw new AppProblem(
          `${provider.name} is connected by ${connected === 1 ? '1 person' : `${connected} people`} with client id ${before.clientId}; ` +
            'their consents are worth nothing to another one, and they would have to connect again. Give --force to change it nevertheless.',
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

/** Null when it is sealed with a key that is gone. */
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

function checkSettings({ name, settings: known = [] }: Provider, given: Record<string, string>): void {
  const unknown = Object.keys(given).filter((setting) => !known.some((one) => one.name === setting));
  if (unknown.length === 0) return;
  const offer =
    known.length === 0
      ? 'it has none: leave --setting and --setting-file away.'
      : `it has ${known.map((setting) => `${setting.name} (${setting.about})`).join(', ')}.`;
  throw new AppProblem(`${name} has no setting ${unknown.join(', ')}; ${offer}`);
}
