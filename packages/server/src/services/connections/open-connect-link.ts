import { findProvider, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { findConnectLink, type ConnectLink } from '../../store/connections/connect-links.ts';
import { findDeviceOfProvider } from '../../store/connections/connections.ts';
import type { Queryable } from '../../store/database/database.ts';
import { getOrganization } from '../../store/accounts/organizations.ts';
import { asBearer, becomeTenant } from '../../store/database/tenant.ts';
import { userExists } from '../../store/users/users.ts';

/** A link as the hosted page shows it. */
export interface ConnectView {
  organization: string;
  contactEmail: string | null;
  provider: Pick<Provider, 'id' | 'name' | 'reads' | 'optIns' | 'historyDays'>;
  status: ConnectLink['status'] | 'expired' | 'withdrawn';
  environment: ConnectLink['environment'];
  redirectUrl: string | null;
  deviceId: string;
}

/** Returns the link of a token, or null. Reading changes nothing, because mail scanners open links too. */
export function openConnectLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<{ link: ConnectLink; view: ConnectView } | null> {
  return withConnectLink(ctx, 'link_hash', hashSecret(token), async (_, link, view) => ({ link, view }));
}

/** Runs `work` with the link of a secret, in a transaction with the scope of its tenant. Returns null if there is no link. */
export function withConnectLink<T>(
  ctx: Pick<Context, 'db' | 'clock'>,
  by: 'link_hash' | 'state_hash',
  hash: Buffer,
  work: (tx: Queryable, link: ConnectLink, view: ConnectView) => Promise<T>,
): Promise<T | null> {
  return asBearer(ctx.db, hash, async (tx) => {
    const link = await findConnectLink(tx, by, hash);
    const provider = link && findProvider(link.provider);
    if (!link || !provider) return null;
    await becomeTenant(tx, link);
    const organization = await getOrganization(tx, link);
    const status = await statusOf(ctx, tx, link);
    return work(tx, link, {
      organization: organization.name ?? 'An organization',
      contactEmail: organization.contactEmail,
      provider,
      status,
      environment: link.environment,
      redirectUrl: link.redirectUrl,
      deviceId: link.deviceId,
    });
  });
}

/** An open link may have expired, or its user or device may have been deleted. */
async function statusOf(
  { clock }: Pick<Context, 'clock'>,
  tx: Queryable,
  { status, expiresMs, userId, deviceId, provider, ...tenant }: ConnectLink,
): Promise<ConnectView['status']> {
  if (status !== 'open' && status !== 'continued') return status;
  if (expiresMs <= clock.now()) return 'expired';
  const device = (await userExists(tx, tenant, userId))
    ? await findDeviceOfProvider(tx, userId, provider)
    : null;
  return device?.id === deviceId ? status : 'withdrawn';
}
