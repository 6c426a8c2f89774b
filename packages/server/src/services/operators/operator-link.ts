import type { OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { hashSecret, isSecretToken } from '../../credentials/secret-token.ts';
import type { Queryable } from '../../store/database.ts';
import {
  findOpenLink,
  insertLink,
  revokeLinksLike,
  type OperatorLink,
  type OperatorLinkKind,
} from '../../store/operator-links.ts';

/** How long a link lasts. */
const hours: Record<OperatorLinkKind, number> = { owner: 24, invitation: 7 * 24, password: 1 };

/** Where the link of each kind leads. What follows `#` is never sent to a server by itself, and so is in no log. */
const pages: Record<OperatorLinkKind, string> = {
  owner: '/dashboard/join',
  invitation: '/dashboard/join',
  password: '/dashboard/reset',
};

/** Makes a link, in place of those of its kind for the same person that are still open; answers its id and its address. */
export async function createOperatorLink(
  ctx: Pick<Context, 'config' | 'keyring' | 'newId'>,
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

/** The address of a link, made again from its id. */
export function operatorLinkUrl(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  { id, kind, keyVersion }: Pick<OperatorLink, 'id' | 'kind' | 'keyVersion'>,
): string {
  return `${config.http.publicUrl}${pages[kind]}#${deriveLinkToken(keyring, 'operator', { id, keyVersion })}`;
}

/** The open link of this token; null when it is none, or has ended. */
export function openOperatorLink(db: Queryable, token: string): Promise<OperatorLink | null> {
  return isSecretToken('ol_', token) ? findOpenLink(db, hashSecret(token)) : Promise.resolve(null);
}
