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
import { formatId, parseId } from '../ids.ts';
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
): Promise<{ token: string; expiresAt: string }> {
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
    // Without an ID, tokens issued within one second would be equal.
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresAt: new Date(expiresAt * 1000).toISOString() };
}

/** Verifies a token with the key that `findKey` returns for its `kid`. Throws `token_expired` or `invalid_token`. */
export async function verifyUserToken(
  token: string,
  clock: Clock,
  findKey: (kid: string) => Promise<KeyObject | null>,
): Promise<UserTokenSubject> {
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
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      },
    );
    const accountId = parseId('acc', String(payload['acc']));
    const userId = parseId('user', String(payload.sub));
    const environment = payload['env'];
    if (!accountId || !userId || !isEnvironment(environment)) throw new ApiError('invalid_token');
    return { tenant: { accountId, environment }, userId };
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
