import { ApiError, settingsOperations as operations, type AccountSettingsWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { changeSettings } from '../../services/dashboard/change-settings.ts';
import { readSettings } from '../../services/dashboard/read-settings.ts';
import { requireConfirmed } from '../../services/operators/confirm-identity.ts';
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
      const { accountId, hasAuthenticator } = operatorOf(request);
      if (request.body.require_authenticator !== undefined) {
        requireConfirmed(operatorOf(request));
        requireOwnFirst(request.body.require_authenticator, hasAuthenticator);
      }
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
      require_authenticator: account.requireAuthenticator,
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

/** An owner who requires authenticators of others knows what it takes, because they have one. */
function requireOwnFirst(required: boolean, hasAuthenticator: boolean): void {
  if (required && !hasAuthenticator)
    throw new ApiError('invalid_request', {
      message: 'Add an authenticator to your own sign-in before you require one of your colleagues.',
    });
}
