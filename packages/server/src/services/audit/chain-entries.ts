import type pg from 'pg';
import type { Context } from '../../context.ts';
import {
  listChainEnds,
  listWaitingEntries,
  moveIntoLog,
  type AuditEntry,
  type ChainEnd,
  type SignedHead,
} from '../../store/audit/chain.ts';
import { transact } from '../../store/database/database.ts';
import { beforeFirst, hashEntry } from './hash-entry.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { isSignedByUs, signHead } from './sign-head.ts';

export interface Chained {
  entries: number;
  /** The transaction ID at which the next scan starts. */
  sinceXid: string;
  /** The new heads of the chains that have grown. */
  heads: SignedHead[];
}

/**
 * Chains the waiting entries and moves them into the log in one transaction. Only one session may do this at a time. Positions are assigned here, so
 * no writer has to wait for open transactions. If one entry caused another, it has the lower transaction ID and therefore the lower position.
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
      throw new Error(`${entries.length - moved} entries disappeared from the intake while being chained`);
    return grown;
  });
  // If the page was full, more entries of the last transaction may remain.
  const isAll = entries.length < limit;
  const next = !isAll && BigInt(last.xid) < BigInt(horizon) ? last.xid : horizon;
  return { entries: entries.length, sinceXid: next, heads };
}

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

  /** A chain that another writer modified still grows, but is never signed again: our signature would vouch for it. */
  sign(keyring: Context['keyring']): SignedHead {
    return this.#isSound ? signHead(keyring, this.#end) : { ...this.#end, signature: Buffer.alloc(0) };
  }
}

async function findChains(
  ctx: Pick<Context, 'keyring' | 'log' | 'metrics'>,
  tx: Parameters<typeof listChainEnds>[0],
  accountIds: readonly string[],
): Promise<Map<string, Chain>> {
  const ends = await listChainEnds(tx, accountIds);
  const heads = new Map(ends.heads.map((head) => [head.accountId, head]));
  const lasts = new Map(ends.lasts.map((last) => [last.accountId, last]));
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
      if (!isSound && head?.signature.length !== 0)
        raiseAlarm(ctx, accountId, 'chain head does not match or is not signed by this service');
      // Continue after the later of the two, so that new entries can always be appended.
      const end = last && (!head || last.position >= head.position) ? last : head!;
      const { position, hash } = end;
      return [accountId, new Chain({ accountId, position, hash }, isSound)] as const;
    }),
  );
}
