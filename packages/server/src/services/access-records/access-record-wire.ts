import type { AccessRecordWire, CredentialType } from '@tributary/contract';
import { formatId, type IdPrefix } from '../../ids.ts';
import type { ListedAccessRecord } from '../../store/access-records/list.ts';

/** Prefixes of the ids of credentials. */
export const credentialPrefixes: Record<CredentialType, IdPrefix> = {
  api_key: 'key',
  user_token: 'tok',
  operator: 'op',
};

export function toAccessRecordWire(record: ListedAccessRecord): AccessRecordWire {
  return {
    id: formatId('acr', record.id),
    at: record.at,
    credential: {
      type: record.credentialType,
      id: formatId(credentialPrefixes[record.credentialType], record.credentialId),
    },
    user_id: record.userId && formatId('user', record.userId),
    operation: record.operation,
    first_day: record.firstDay,
    last_day: record.lastDay,
    outcome: record.outcome,
  };
}
