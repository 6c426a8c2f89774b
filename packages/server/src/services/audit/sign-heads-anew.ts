import type { Context } from '../../context.ts';
import { listHeads, updateHeadSignatures } from '../../store/audit-chain.ts';
import type { Queryable } from '../../store/database.ts';
import { isSignedByUs, signHead } from './sign-head.ts';

/** Signs with the newest key what is signed with an older one of ours, so that older ones can be taken away. */
export async function signHeadsAnew(ctx: Pick<Context, 'keyring'>, session: Queryable): Promise<void> {
  const heads = (await listHeads(session)).filter((head) => isSignedByUs(ctx.keyring, head));
  const anew = heads.map((head) => signHead(ctx.keyring, head));
  const changed = anew.filter(({ signature }, at) => !signature.equals(heads[at]!.signature));
  if (changed.length > 0) await updateHeadSignatures(session, changed);
}
