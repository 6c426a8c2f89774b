import { settingsOperations as operations, type AccountSettingsWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { changeSettings } from '../../services/dashboard/change-settings.ts';
import { readSettings } from '../../services/dashboard/read-settings.ts';
import type { App } from '../frame/app-type.ts';
import { actorOf, operatorOf } from './operators.ts';

/** Routes for account settings. Every role reads them, and owners change them. */
export function registerSettingsRoutes(app: App, ctx: Context): void {
  app.get('/settings', { schema: operations.getSettings, config: { role: 'viewer' } }, (request) =>
    read(operatorOf(request).accountId),
  );

  app.patch(
    '/settings',
    { schema: operations.changeSettings, config: { role: 'owner' } },
    async (request) => {
      const { accountId } = operatorOf(request);
      await changeSettings(ctx, actorOf(request), accountId, request.body);
      return read(accountId);
    },
  );

  async function read(accountId: string): Promise<AccountSettingsWire> {
    const { account, users, limits, usage } = await readSettings(ctx, accountId);
    return {
      name: account.name,
      default_form: account.defaultForm,
      organization_name: account.organizationName,
      contact_email: account.contactEmail,
      redirect_urls: account.redirectUrls,
      sync_interval_seconds: account.syncIntervalSeconds,
      plan: {
        user_limit: limits.users,
        users,
        uploads_today: { live: usage.live.uploads, sandbox: usage.sandbox.uploads },
        uploads_per_day: limits.uploadsPerDay,
        values_today: { live: usage.live.values, sandbox: usage.sandbox.values },
        values_per_day: limits.valuesPerDay,
        requests_per_second: limits.requestsPerSecond,
        request_burst: limits.requestBurst,
        streams: limits.streams,
        suspended: account.status === 'suspended',
      },
      public_url: ctx.config.http.publicUrl,
      mail: { configured: ctx.config.mail !== null },
    };
  }
}
