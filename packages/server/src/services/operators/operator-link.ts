import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Core } from '../../core.ts';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { hashSecret, isSecretToken } from '../../credentials/secret-token.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  findOpenLink,
  insertLink,
  revokeLinksLike,
  type OperatorLink,
  type OperatorLinkKind,
} from '../../store/accounts/operator-links.ts';

/** Lifetime of a link. */
const hours: Record<OperatorLinkKind, number> = { owner: 24, invitation: 7 * 24, password: 1 };

/** The page of each kind of link. Browsers do not send the fragment after `#`, so no log contains it. */
const pages: Record<OperatorLinkKind, string> = {
  owner: '/dashboard/join',
  invitation: '/dashboard/join',
  password: '/dashboard/reset',
};

/** Creates a link and revokes open links of the same kind for the same person. Returns its id and URL. */
export async function createOperatorLink(
  ctx: Pick<Core, 'config' | 'keyring' | 'newId'>,
  tx: Queryable,
  link: {
    accountId: string;
    kind: OperatorLinkKind;
    email: string | null;
    role: OperatorRole | null;
    operatorId?: string;
    invitedBy?: string;
  },
): Promise<{ id: string; url: string }> {
  const id = ctx.newId();
  const keyVersion = ctx.keyring.newestVersion;
  const { operatorId = null, invitedBy = null } = link;
  if (link.email !== null) await revokeLinksLike(tx, { ...link, operatorId });
  const token = deriveLinkToken(ctx.keyring, 'operator', { id, keyVersion });
  const hash = hashSecret(token);
  await insertLink(tx, { ...link, id, operatorId, invitedBy, hash, keyVersion, hours: hours[link.kind] });
  return { id, url: operatorLinkUrl(ctx, { id, kind: link.kind, keyVersion }) };
}

/** Returns the URL of a link, derived from its id. */
export function operatorLinkUrl(
  { config, keyring }: Pick<Core, 'config' | 'keyring'>,
  { id, kind, keyVersion }: Pick<OperatorLink, 'id' | 'kind' | 'keyVersion'>,
): string {
  return `${config.http.publicUrl}${pages[kind]}#${deriveLinkToken(keyring, 'operator', { id, keyVersion })}`;
}

/** Returns the open link of a token. Throws `link_ended` if there is none. */
export async function openOperatorLink(ctx: Pick<Core, 'operator'>, token: string): Promise<OperatorLink> {
  const link = isSecretToken('ol_', token) ? await findOpenLink(ctx.operator, hashSecret(token)) : null;
  if (!link) throw new ApiError('link_ended');
  return link;
}
