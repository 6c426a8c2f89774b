import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { countAccounts } from '../../store/dashboard/overview.ts';
import { AppProblem } from '../providers/app-problem.ts';
import { configureApp, type NewApp } from '../providers/configure-app.ts';
import { removeApp } from '../providers/remove-app.ts';

/** Stores a provider app for a dashboard user. Throws `role_too_low` if several accounts share it, or `invalid_request`. */
export async function setProviderApp(
  ctx: Pick<Context, 'operator' | 'keyring' | 'newId'>,
  actor: Actor,
  app: NewApp,
): Promise<void> {
  await refuseShared(ctx, `tributary provider set ${app.provider} --client-id … --client-secret-file …`);
  await withApiErrors(configureApp(ctx, actor, app));
}

/** Removes a provider app for a dashboard user. Throws `role_too_low` if several accounts share it, or `invalid_request`. */
export async function removeProviderApp(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { provider, force }: { provider: string; force: boolean },
): Promise<void> {
  await refuseShared(ctx, `tributary provider remove ${provider}`);
  await withApiErrors(removeApp(ctx, actor, { provider, force }));
}

/** Whether the installation has one account, which then owns the provider apps. */
export async function hasOneAccount(ctx: Pick<Context, 'operator'>): Promise<boolean> {
  return (await countAccounts(ctx.operator)) === 1;
}

/** With several accounts, no single account may change the provider apps that all of them share. */
async function refuseShared(ctx: Pick<Context, 'operator'>, command: string): Promise<void> {
  if (await hasOneAccount(ctx)) return;
  throw new ApiError('role_too_low', {
    message: `Several accounts share this provider app. Your operator can change it on the command line: ${command}`,
    details: { command },
  });
}

/** Converts errors about provider apps, which name command line options, to API errors that name fields. */
function withApiErrors<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AppProblem)) throw error;
    throw new ApiError('invalid_request', { message: error.message.replaceAll('--force', '`force`') });
  });
}
