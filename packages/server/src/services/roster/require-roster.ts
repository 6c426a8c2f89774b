import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';

/** Throws `roster_not_configured` if the account has no organization name or the service cannot send mail. */
export function requireRoster(
  { config }: Pick<Context, 'config'>,
  account: { organizationName: string | null },
): void {
  const missing = [
    ...(account.organizationName === null ? ['organization_name'] : []),
    ...(config.mail === null ? ['mail_sender'] : []),
  ];
  if (missing.length > 0) throw new ApiError('roster_not_configured', { details: { missing } });
}
