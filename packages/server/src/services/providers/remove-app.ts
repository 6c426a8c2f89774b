import type { Context } from '../../context.ts';
import { wholeService, type Actor } from '../../store/acting.ts';
import { countConnected } from '../../store/connections.ts';
import { inTransaction } from '../../store/database.ts';
import { deleteLivePushSetUp, lockProviderApp } from '../../store/provider-app-changes.ts';
import { deleteProviderApp, findProviderApp } from '../../store/provider-apps.ts';
import { record } from '../audit/record.ts';
import { AppProblem } from './app-problem.ts';
import { providerName } from './provider-name.ts';

/** Forgets the application that was registered with a provider; `force` does so although people have connected by it. */
export async function removeApp(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { provider: id, force }: { provider: string; force: boolean },
): Promise<{ connected: number }> {
  return inTransaction(ctx.operator, async (tx) => {
    await lockProviderApp(tx, id);
    const app = await findProviderApp(tx, id);
    if (!app) throw new AppProblem(`${id} is not configured. See \`tributary provider list\`.`);
    const connected = await countConnected(tx, { environment: 'live', provider: id });
    if (connected > 0 && !force)
      throw new AppProblem(
        `${providerName(id)} is connected by ${connected === 1 ? '1 person' : `${connected} people`}, whose data would stop to come. ` +
          'Give --force to remove it nevertheless.',
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
