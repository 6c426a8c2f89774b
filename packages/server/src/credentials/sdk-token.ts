import { ApiError, scopes as allScopes, type Scope } from '@tributary/contract';
import type { Clock } from '../clock.ts';
import { scopeBits, scopesOf } from '../scope-bits.ts';
import type { Environment, Tenant } from '../store/database/tenant.ts';
import type { Keyring } from './keyring.ts';

/** The contents of an SDK access token: its session, user and tenant, and the scopes it may upload. */
export interface SdkIdentity {
  tenant: Tenant;
  userId: string;
  sessionId: string;
  scopes: readonly Scope[];
}

const prefix = 'sdk_';
const purpose = 'sdk-access';
/** Three 16-byte ids, the environment, the scopes, and the expiration in seconds. */
const contentBytes = 3 * 16 + 1 + 1 + 4;
const signatureBytes = 16;
const textLength = prefix.length + Math.ceil(((contentBytes + signatureBytes) * 4) / 3);
const environments: readonly Environment[] = ['live', 'sandbox'];
const scopesByMask: readonly (readonly Scope[])[] = Array.from({ length: 1 << allScopes.length }, (_, mask) =>
  Object.freeze(scopesOf(mask)),
);

/**
 * Seals an access token that needs no lookup: it contains everything it represents, with a signature. `keyVersion` derives the exact token that an
 * older key signed.
 */
export function sealSdkToken(
  keyring: Keyring,
  identity: SdkIdentity,
  expiresAtSeconds: number,
  keyVersion = keyring.newestVersion,
): string {
  const content = Buffer.alloc(contentBytes);
  const ids = [identity.sessionId, identity.userId, identity.tenant.accountId];
  for (const [at, id] of ids.entries()) content.write(id.replaceAll('-', ''), 16 * at, 'hex');
  content.writeUInt8(environments.indexOf(identity.tenant.environment), 48);
  content.writeUInt8(scopeBits(identity.scopes), 49);
  content.writeUInt32BE(expiresAtSeconds, 50);
  const signature = keyring.sign(content, purpose, keyVersion);
  return prefix + Buffer.concat([content, signature]).toString('base64url');
}

/** Whether a credential has the form of an SDK access token. */
export function hasSdkTokenPrefix(token: string): boolean {
  return token.startsWith(prefix);
}

/** Reads an access token. Throws `invalid_token` or `token_expired`. Does not check whether its session is still active. */
export function openSdkToken(keyring: Keyring, clock: Clock, token: string): SdkIdentity {
  if (token.length !== textLength || !hasSdkTokenPrefix(token)) throw new ApiError('invalid_token');
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const content = bytes.subarray(0, contentBytes);
  const genuine =
    keyring.verify(content, purpose, bytes.subarray(contentBytes)) &&
    // Accept only one spelling: the decoder tolerates other alphabets and spare bits.
    bytes.toString('base64url') === token.slice(prefix.length);
  if (!genuine) throw new ApiError('invalid_token');
  if (content.readUInt32BE(50) * 1000 <= clock.now()) throw new ApiError('token_expired');
  const hex = content.toString('hex', 0, 48);
  return {
    tenant: { accountId: uuidAt(hex, 64), environment: environments[content[48]!]! },
    userId: uuidAt(hex, 32),
    sessionId: uuidAt(hex, 0),
    scopes: scopesByMask[content[49]!]!,
  };
}

function uuidAt(hex: string, at: number): string {
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${hex.slice(at + 12, at + 16)}-${hex.slice(at + 16, at + 20)}-${hex.slice(at + 20, at + 32)}`;
}
