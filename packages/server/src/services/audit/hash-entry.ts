import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../store/audit-chain.ts';

/** What stands before the first entry of a chain. */
export const beforeFirst = Buffer.alloc(32);

/** The hash of an entry at its position: of the hash before it and of everything that the entry says. */
export function hashEntry(previous: Buffer, position: number, entry: AuditEntry): Buffer {
  return createHash('sha256').update(previous).update(canonicalEntry(position, entry)).digest();
}

/** An entry as the one text that it is hashed as. The number in front is of this form, so that there can be another one day. */
export function canonicalEntry(position: number, entry: AuditEntry): string {
  return JSON.stringify([
    1,
    entry.accountId,
    position,
    entry.id,
    entry.environment,
    entry.at,
    entry.actorType,
    entry.actorId,
    entry.action,
    entry.targetType,
    entry.targetId,
    entry.address,
    entry.requestId,
    entry.data,
    entry.person,
    entry.textHash,
  ]);
}
