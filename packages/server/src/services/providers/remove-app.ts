import type { Context } from '../../context.ts';
import { wholeService, type Actor } from '../../store/audit/actor.ts';
import { countConnected } from '../../store/connections/connections.ts';
import { inTransaction } from '../../store/database/database.ts';
import { deleteLivePushSetUp, lockProviderApp } from '../../store/connections/provider-app-changes.ts';
import { deleteProviderApp, findProviderApp } from '../../store/connections/provider-apps.ts';
import { record } from '../audit/record.ts';
import { AppProblem } from './app-problem.ts';
import { providerName } from './provider-name.ts';

/** Removes the app registered with a provider. `force` removes it even if users are connected. */
export async function removeApp(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { provider: id, force }: { provider: string; force: boolean },
): Promise<{ connected: number }> {
  return inTransaction(ctx.operator, async (tx) => {
    await lockProviderApp(tx, id);
    const app = await findProviderApp(tx, id);
    if (!app)
      throw new AppProblem(`${id} is not configured. List providers with \`tributary provider list\`.`);
    const connected = await countConnected(tx, { environment: 'live', provider: id });
    if (connected > 0 && !force)
      throw new AppProblem(
        `${connected === 1 ? '1 user is' : `${connected} users are`} connected to ${providerName(id)}. Their data would stop syncing. ` +
          'Pass --force to remove it anyway.',
      );
    await deleteProviderApp(tx, id);
    await deleteLivePushSetUp(tx, id);
    await record(
      ctx,
      tx,
      { accountId: wholeService, environment: null, actor },
      {
        action: 'provider.removed',
        target: { type: 'provider', id },
        data: { client_id: app.clientId, connected },
      },
    );
    return { connected };
  });
}
