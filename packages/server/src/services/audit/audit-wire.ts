import type { AuditEntryWire } from '@tributary/contract';
import { formatId } from '../../ids.ts';
import type { ListedAuditEntry, ShownAuditEntry } from '../../store/audit/list.ts';

export function toAuditWire(entry: ShownAuditEntry): AuditEntryWire {
  const { hash, ...rest } = toOperatedAuditWire(entry);
  return { ...rest, text: shownText(entry), hash };
}

/**
 * Omits the IP address of a member, which only operators may see. The consent page promises that the organization learns the member's reply and
 * nothing else.
 */
function shownText({ actorType, text }: ShownAuditEntry): ShownAuditEntry['text'] {
  if (text === null || actorType !== 'person') return text;
  const { address: _address, ...shown } = text;
  return Object.keys(shown).length === 0 ? null : shown;
}

/** Omits the text about a user. */
export function toOperatedAuditWire(entry: ListedAuditEntry): Omit<AuditEntryWire, 'text'> {
  return {
    id: formatId('aud', entry.id),
    position: entry.position,
    at: entry.at,
    environment: entry.environment,
    action: entry.action,
    actor: { type: entry.actorType, id: entry.actorId },
    target: { type: entry.targetType, id: entry.targetId },
    address: entry.address,
    request_id: entry.requestId,
    details: entry.data,
    hash: entry.hash.toString('hex'),
  };
}
