import { findProvider } from '@tributary/providers';
import { deleteOldConnectLinks } from '../../store/connections/connect-links.ts';
import { listConnectedProviders } from '../../store/connections/connections.ts';
import { findApp } from '../providers/find-app.ts';
import { ensurePush } from './ensure-push.ts';
import type { SyncContext } from './run.ts';

/** Ensures that every provider with connected users keeps sending pushes. */
export async function maintainPushes(ctx: SyncContext): Promise<void> {
  for (const { environment, provider: id } of await listConnectedProviders(ctx.operator)) {
    const provider = findProvider(id);
    const app = provider && (await findApp(ctx, ctx.operator, environment, provider));
    if (provider && app) await ensurePush(ctx, { environment, provider, app });
  }
  await deleteOldConnectLinks(ctx.operator);
}
