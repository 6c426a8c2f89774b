import type { Context } from '../../context.ts';
import { listHeads, updateHeadSignatures } from '../../store/audit/chain.ts';
import type { Queryable } from '../../store/database/database.ts';
import { isSignedByUs, signHead } from './sign-head.ts';

/** Re-signs heads that were signed with an older key, so that the older key can be removed. */
export async function signHeadsAnew(ctx: Pick<Context, 'keyring'>, session: Queryable): Promise<void> {
  const heads = (await listHeads(session)).filter((head) => isSignedByUs(ctx.keyring, head));
  const anew = heads.map((head) => signHead(ctx.keyring, head));
  const changed = anew.filter(({ signature }, at) => !signature.equals(heads[at]!.signature));
  if (changed.length > 0) await updateHeadSignatures(session, changed);
}
