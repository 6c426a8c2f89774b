import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import { ApiError } from '@tributary/contract';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';
import { formatId, parseId, parseUuid } from '../ids.ts';
import type { SigningKey } from '../store/accounts/signing-keys.ts';
import type { Environment, Tenant } from '../store/database/tenant.ts';
import type { Keyring } from './keyring.ts';

export const userTokenLifetimeSeconds = 3_600;

const algorithm = 'EdDSA';
const type = 'tributary-user+jwt';
const audience = 'tributary:user';
const issuer = 'tributary';

export interface UserTokenSubject {
  tenant: Tenant;
  userId: string;
}

/** A subject with the id of its token. */
interface VerifiedUserToken extends UserTokenSubject {
  tokenId: string;
}

/** Creates an Ed25519 key pair in its stored form: the private key is encrypted and bound to its id. */
export function createSigningKeyPair(
  keyring: Keyring,
  id: string,
): { publicKey: Buffer; privateKey: Buffer } {
  const pair = generateKeyPairSync('ed25519');
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }),
    privateKey: keyring.encrypt(privateKey, `signing_keys:${id}`),
  };
}

/** Signs a token for one user, valid for one hour. */
export async function signUserToken(
  keyring: Keyring,
  key: SigningKey,
  clock: Clock,
  subject: UserTokenSubject,
): Promise<{ token: string; tokenId: string; expiresAt: string }> {
  const tokenId = randomUUID();
  const issuedAt = Math.floor(clock.now() / 1000);
  const expiresAt = issuedAt + userTokenLifetimeSeconds;
  const privateKey = createPrivateKey({
    key: keyring.decrypt(key.privateKey, `signing_keys:${key.id}`),
    format: 'der',
    type: 'pkcs8',
  });
  const token = await new SignJWT({
    acc: formatId('acc', subject.tenant.accountId),
    env: subject.tenant.environment,
  })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: key.id })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(formatId('user', subject.userId))
    // Names the token in access records. Without an ID, tokens issued within one second would be equal.
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, tokenId, expiresAt: new Date(expiresAt * 1000).toISOString() };
}

/** Verifies a token with the key that `findKey` returns for its `kid`. Throws `token_expired` or `invalid_token`. */
export async function verifyUserToken(
  token: string,
  clock: Clock,
  findKey: (kid: string) => Promise<KeyObject | null>,
): Promise<VerifiedUserToken> {
  try {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        // Keys come from our table, by id. Keys and URLs inside the token are ignored.
        const key = typeof header.kid === 'string' ? await findKey(header.kid) : null;
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [algorithm],
        typ: type,
        audience,
        issuer,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        currentDate: new Date(clock.now()),
      },
    );
    const accountId = parseId('acc', String(payload['acc']));
    const userId = parseId('user', String(payload.sub));
    const environment = payload['env'];
    const tokenId = parseUuid(String(payload.jti));
    if (!accountId || !userId || !tokenId || !isEnvironment(environment)) throw new ApiError('invalid_token');
    return { tenant: { accountId, environment }, userId, tokenId };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ApiError('token_expired', { cause: error });
    if (error instanceof errors.JOSEError) throw new ApiError('invalid_token', { cause: error });
    throw error;
  }
}

/** The public key of a signing key, ready for verification. */
export function publicKeyOf(key: SigningKey): KeyObject {
  return createPublicKey({ key: key.publicKey, format: 'der', type: 'spki' });
}

function isEnvironment(value: unknown): value is Environment {
  return value === 'live' || value === 'sandbox';
}
