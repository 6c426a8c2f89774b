import { ApiError } from '@tributary/contract';
import type { Tenant } from '../store/database/tenant.ts';
import type { Keyring } from './keyring.ts';

const signatureBytes = 16;

/** Seals a position in a list. A client can store the cursor but cannot change it or use it for another list or tenant. */
export function sealCursor(
  keyring: Keyring,
  list: string,
  tenant: Tenant,
  place: readonly (string | number | null)[],
): string {
  const content = JSON.stringify(place);
  const signature = keyring.sign(bound(list, tenant, content), 'cursor');
  return Buffer.concat([signature, Buffer.from(content)]).toString('base64url');
}

/** Opens a cursor of this list and tenant. Throws `invalid_cursor` for anything else. */
export function openCursor(
  keyring: Keyring,
  list: string,
  tenant: Tenant,
  cursor: string,
): (string | number | null)[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const content = bytes.subarray(signatureBytes).toString();
  const genuine =
    bytes.toString('base64url') === cursor &&
    keyring.verify(bound(list, tenant, content), 'cursor', bytes.subarray(0, signatureBytes));
  if (!genuine) throw new ApiError('invalid_cursor');
  return JSON.parse(content) as (string | number | null)[];
}

function bound(list: string, tenant: Tenant, content: string): string {
  return `${list}\n${tenant.accountId}\n${tenant.environment}\n${content}`;
}
