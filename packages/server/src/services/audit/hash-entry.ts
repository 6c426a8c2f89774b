import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../store/audit/chain.ts';

/** The previous hash of the first entry of a chain. */
export const beforeFirst = Buffer.alloc(32);

/** Hashes the previous hash, the position and all fields of the entry. */
export function hashEntry(previous: Buffer, position: number, entry: AuditEntry): Buffer {
  return createHash('sha256').update(previous).update(canonicalEntry(position, entry)).digest();
}

/** The canonical text of an entry that is hashed. It starts with a format version, so that the format can change. */
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
