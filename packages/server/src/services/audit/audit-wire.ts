import type { AuditEntryWire } from '@tributary/contract';
import { formatId } from '../../ids.ts';
import type { ListedAuditEntry, ShownAuditEntry } from '../../store/audit-list.ts';

export function toAuditWire(entry: ShownAuditEntry): AuditEntryWire {
  const { hash, ...rest } = toOperatedAuditWire(entry);
  return { ...rest, text: shownText(entry), hash };
}

/** Where people are at home is for operators to look up: their page promises that the organization learns their answer, and nothing else. */
function shownText({ actorType, text }: ShownAuditEntry): ShownAuditEntry['text'] {
  if (text === null || actorType !== 'person') return text;
  const { address: _address, ...shown } = text;
  return Object.keys(shown).length === 0 ? null : shown;
}

/** Without what it says about a person. */
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
