import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43; // 32 bytes in base 62
const checksumLength = 6; // CRC-32 in base 62

/** The prefix of a secret, so that people and secret scanners recognize it. */
export type SecretPrefix =
  | 'sk_live_'
  | 'sk_sandbox_'
  | 'mt_'
  | 'ct_'
  | 'rt_'
  | 'il_'
  | 'ml_'
  | 'ol_'
  | 'cl_'
  | 'cs_'
  | 'cb_';

/** Creates a secret of 32 random bytes with a checksum. It is shown once, and only its hash is stored. */
export function createSecretToken(prefix: SecretPrefix): string {
  return formatSecretToken(prefix, randomBytes(32));
}

/** Formats 32 secret bytes as a token. */
export function formatSecretToken(prefix: SecretPrefix, secret: Buffer): string {
  const body = prefix + toBase62(BigInt(`0x${secret.toString('hex')}`), secretLength);
  return body + checksumOf(body);
}

/** The 32 bytes of a token, or null if the token is invalid. */
export function parseSecretToken(prefix: SecretPrefix, token: string): Buffer | null {
  if (!isSecretToken(prefix, token)) return null;
  const digits = token.slice(prefix.length, -checksumLength);
  const hex = fromBase62(digits).toString(16).padStart(64, '0');
  return hex.length === 64 ? Buffer.from(hex, 'hex') : null; // 43 digits can encode slightly more than 32 bytes
}

/** Whether `token` has a valid form and checksum. Rejects a typo without a lookup. */
export function isSecretToken(prefix: SecretPrefix, token: string): boolean {
  if (token.length !== prefix.length + secretLength + checksumLength || !token.startsWith(prefix))
    return false;
  const body = token.slice(0, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) && token.endsWith(checksumOf(body));
}

/** Hashes a secret for storage. The secret has 256 bits of entropy, so an unsalted hash cannot be brute-forced. */
export function hashSecret(token: string | Buffer): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Shows enough of a key to recognize it in a list, but not enough to use it. */
export function hintOf(prefix: SecretPrefix, token: string): string {
  return `${prefix}…${token.slice(-4)}`;
}

function checksumOf(body: string): string {
  return toBase62(BigInt(crc32(body)), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
  return digits;
}

function fromBase62(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 62n + BigInt(alphabet.indexOf(digit));
  return value;
}
