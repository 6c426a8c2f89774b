import type { Keyring } from './keyring.ts';
import { formatSecretToken } from './secret-token.ts';

/** What a link in an email opens: an invitation to accept or decline, or a membership to end. */
export type LinkKind = 'invitation' | 'membership';

const prefixes = { invitation: 'il_', membership: 'ml_', operator: 'ol_' } as const;

/**
 * Derives the secret of an emailed link, including sign-in links for dashboard users. It is derived again when the email is written, so only its hash
 * is stored.
 */
export function deriveLinkToken(
  keyring: Keyring,
  kind: LinkKind | 'operator',
  { id, keyVersion }: { id: string; keyVersion: number },
): string {
  return formatSecretToken(prefixes[kind], keyring.derive(id, `link-${kind}`, keyVersion));
}

/** The path of a link, relative to the service URL. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/${kind}s/${token}`;
}
