import { settingsOperations as operations, type AccountSettingsWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { changeSettings } from '../../services/operators/change-settings.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { countUsers } from '../../store/dashboard/overview.ts';
import type { App } from '../frame/app-type.ts';
import { actorOf, operatorOf } from './operators.ts';

/** Routes for account settings. Every role reads them, and owners change them. */
export function registerSettingsRoutes(app: App, ctx: Context): void {
  app.get('/settings', { schema: operations.getSettings, config: { role: 'viewer' } }, (request) =>
    readSettings(operatorOf(request).accountId),
  );

  app.patch(
    '/settings',
    { schema: operations.changeSettings, config: { role: 'owner' } },
    async (request) => {
      const { accountId } = operatorOf(request);
      await changeSettings(ctx, actorOf(request), accountId, request.body);
      return readSettings(accountId);
    },
  );

  async function readSettings(accountId: string): Promise<AccountSettingsWire> {
    const [account, live, sandbox] = await Promise.all([
      findAccount(ctx.operator, accountId),
      countUsers(ctx.db, { accountId, environment: 'live' }),
      countUsers(ctx.db, { accountId, environment: 'sandbox' }),
    ]);
    const { name, defaultForm, organizationName, contactEmail, redirectUrls, syncIntervalSeconds } = account!;
    return {
      name,
      default_form: defaultForm,
      organization_name: organizationName,
      contact_email: contactEmail,
      redirect_urls: redirectUrls,
      sync_interval_seconds: syncIntervalSeconds,
      plan: {
        user_limit: account!.userLimit,
        users: { live, sandbox },
        suspended: account!.status === 'suspended',
      },
      public_url: ctx.config.http.publicUrl,
      mail: { configured: ctx.config.mail !== null },
    };
  }
}
