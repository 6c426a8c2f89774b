import type { Keyring } from './keyring.ts';
import { formatSecretToken } from './secret-token.ts';

/** What a link that is sent to a person opens: an invitation to answer, or a membership to end. */
export type LinkKind = 'invitation' | 'membership';

const prefixes = { invitation: 'il_', membership: 'ml_', operator: 'ol_' } as const;

/** The secret of a link, of these or of those that lead operators into the dashboard. It is made again when the mail is written, so that only its hash is stored. */
export function deriveLinkToken(
  keyring: Keyring,
  kind: LinkKind | 'operator',
  { id, keyVersion }: { id: string; keyVersion: number },
): string {
  return formatSecretToken(prefixes[kind], keyring.derive(id, `link-${kind}`, keyVersion));
}

/** Where a link leads, below the address of the service. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/${kind}s/${token}`;
}
