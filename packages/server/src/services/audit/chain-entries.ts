import type pg from 'pg';
import type { Context } from '../../context.ts';
import {
  listChainEnds,
  listWaitingEntries,
  moveIntoLog,
  type AuditEntry,
  type ChainEnd,
  type SignedHead,
} from '../../store/audit-chain.ts';
import { transact } from '../../store/database.ts';
import { beforeFirst, hashEntry } from './hash-entry.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { isSignedByUs, signHead } from './sign-head.ts';

export interface Chained {
  entries: number;
  /** From which transaction on to look next. */
  sinceXid: string;
  /** Where the chains that have grown end now. */
  heads: SignedHead[];
}

/**
 * Chains what waits and moves it into the log, all of it or nothing. The session must be the only one that does. Positions are given here, so
 * that nobody has to wait for transactions that are still open; of two entries of which one led to the other, that one has the lower transaction.
 */
export async function chainEntries(
  ctx: Pick<Context, 'keyring' | 'log' | 'metrics'>,
  session: pg.Client,
  { sinceXid, limit }: { sinceXid: string; limit: number },
): Promise<Chained> {
  const { entries, horizon } = await listWaitingEntries(session, sinceXid, limit);
  const last = entries.at(-1);
  if (!last) return { entries: 0, sinceXid: horizon, heads: [] };
  const heads = await transact(session, async (tx) => {
    const chains = await findChains(ctx, tx, [...new Set(entries.map(({ accountId }) => accountId))]);
    const placed = entries.map((entry) => chains.get(entry.accountId)!.append(entry));
    const grown = [...chains.values()].map((chain) => chain.sign(ctx.keyring));
    const moved = await moveIntoLog(tx, placed, grown);
    if (moved !== entries.length)
      throw new Error(`${entries.length - moved} entries went from the intake while they were chained`);
    return grown;
  });
  // Others may still come among those that were not all taken.
  const isAll = entries.length < limit;
  const next = !isAll && BigInt(last.xid) < BigInt(horizon) ? last.xid : horizon;
  return { entries: entries.length, sinceXid: next, heads };
}

/** A chain that entries are put to. */
class Chain {
  #end: ChainEnd;
  readonly #isSound: boolean;

  constructor(end: ChainEnd, isSound: boolean) {
    this.#end = end;
    this.#isSound = isSound;
  }

  append(entry: AuditEntry): { id: string; position: number; hash: Buffer } {
    const { accountId } = this.#end;
    const position = this.#end.position + 1;
    const hash = hashEntry(this.#end.hash, position, entry);
    this.#end = { accountId, position, hash };
    return { id: entry.id, position, hash };
  }

  /** What somebody else has touched goes on, but is never signed again: a signature of ours would make it ours. */
  sign(keyring: Context['keyring']): SignedHead {
    return this.#isSound ? signHead(keyring, this.#end) : { ...this.#end, signature: Buffer.alloc(0) };
  }
}

async function findChains(
  ctx: Pick<Context, 'keyring' | 'log' | 'metrics'>,
  tx: Parameters<typeof listChainEnds>[0],
  accountIds: readonly string[],
): Promise<Map<string, Chain>> {
  const found = await listChainEnds(tx, accountIds);
  const heads = new Map(found.heads.map((head) => [head.accountId, head]));
  const lasts = new Map(found.lasts.map((last) => [last.accountId, last]));
  return new Map(
    accountIds.map((accountId) => {
      const head = heads.get(accountId);
      const last = lasts.get(accountId);
      if (!head && !last)
        return [accountId, new Chain({ accountId, position: 0, hash: beforeFirst }, true)] as const;
      const isSound =
        head?.position === last?.position &&
        head !== undefined &&
        last !== undefined &&
        head.hash.equals(last.hash) &&
        isSignedByUs(ctx.keyring, head);
      if (!isSound && head?.signature.length !== 0) raiseAlarm(ctx, accountId, 'its head is not ours');
      // After whichever is later, so that nothing stands in the way of what comes.
      const end = last && (!head || last.position >= head.position) ? last : head!;
      const { position, hash } = end;
      return [accountId, new Chain({ accountId, position, hash }, isSound)] as const;
    }),
  );
}
