import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { SignedInOperator } from '../operators/authenticate-operator.ts';
import { hasOneAccount } from './change-provider-app.ts';
import { describeApps, type DescribedApp } from './describe-apps.ts';
import { summarizeProviders, type ProviderSummary } from './summarize-providers.ts';

export interface ProviderRow {
  summary: ProviderSummary;
  /** Null for providers without an app. Values that the dashboard user may not see are null. */
  app: DescribedApp | null;
}

/**
 * Returns every provider with its health and app, and whether owners may change the apps. Accounts that share an app do not see its client ID, and
 * only owners see its push URL, which contains a secret.
 */
export async function listProviderRows(
  ctx: Pick<Context, 'db' | 'operator' | 'clock' | 'config' | 'keyring'>,
  tenant: Tenant,
  { role }: Pick<SignedInOperator, 'role'>,
): Promise<{ mayChange: boolean; rows: ProviderRow[] }> {
  const [summaries, apps, mayChange] = await Promise.all([
    summarizeProviders(ctx, tenant),
    describeApps(ctx, tenant.environment),
    hasOneAccount(ctx),
  ]);
  const showsPush = mayChange && role === 'owner';
  const visible = apps.map((app) => ({
    ...app,
    clientId: mayChange ? app.clientId : null,
    pushUrl: showsPush ? app.pushUrl : null,
  }));
  const rows = summaries.map((summary) => ({
    summary,
    app: visible.find(({ provider }) => provider === summary.id) ?? null,
  }));
  return { mayChange, rows };
}
