import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { isSameSecret } from '@tributary/providers';
import type { EncryptionKey } from '../config.ts';

/** Encrypts and signs with the newest key. Decrypts and verifies with every configured key. */
export interface Keyring {
  /** AES-256-GCM. `boundTo` names the row, so a value copied to another row does not decrypt there. */
  encrypt(plain: Buffer, boundTo: string): Buffer;
  decrypt(sealed: Buffer, boundTo: string): Buffer;
  /** HMAC-SHA-256 for values that clients store and must not change. Signs with the newest key, or with the key of `version`. */
  sign(content: string | Buffer, purpose: string, version?: number): Buffer;
  verify(content: string | Buffer, purpose: string, signature: Buffer): boolean;
  /** Derives 32 bytes that depend on the key. The same version, content and purpose always give the same bytes. */
  derive(content: string | Buffer, purpose: string, version: number): Buffer;
  /** The version of the key that encrypts and signs. */
  newestVersion: number;
}

const versionBytes = 2;
const nonceBytes = 12;
const tagBytes = 16;
const signatureBytes = 16;

export function createKeyring(keys: readonly EncryptionKey[]): Keyring {
  const newest = keys[0];
  if (!newest) throw new Error('a keyring requires at least one key');
  const derived = new Map<string, KeyObject>();

  // Each purpose has its own key, so a value made for one use is worthless for another.
  function keyFor(key: EncryptionKey, purpose: string): KeyObject {
    const name = `${key.version}:${purpose}`;
    let derivedKey = derived.get(name);
    if (!derivedKey) {
      // A `KeyObject` is prepared once. Raw bytes would be prepared on every use, which takes five times as long.
      derivedKey = createSecretKey(Buffer.from(hkdfSync('sha256', key.key, '', `tributary/${purpose}`, 32)));
      derived.set(name, derivedKey);
    }
    return derivedKey;
  }

  function keyOf(version: number): EncryptionKey {
    const key = keys.find((candidate) => candidate.version === version);
    if (!key)
      throw new Error(
        `ENCRYPTION_KEYS does not contain version ${version}, which encrypted or signed a stored value`,
      );
    return key;
  }

  function mac(key: EncryptionKey, content: string | Buffer, purpose: string): Buffer {
    return createHmac('sha256', keyFor(key, purpose)).update(content).digest();
  }

  function sign(key: EncryptionKey, content: string | Buffer, purpose: string): Buffer {
    return mac(key, content, purpose).subarray(0, signatureBytes);
  }

  return {
    encrypt(plain, boundTo) {
      const version = Buffer.alloc(versionBytes);
      version.writeUInt16BE(newest.version);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(newest, 'encrypt'), nonce).setAAD(
        Buffer.from(boundTo),
      );
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([version, nonce, cipher.getAuthTag(), body]);
    },
    decrypt(sealed, boundTo) {
      const key = keyOf(sealed.readUInt16BE());
      const nonce = sealed.subarray(versionBytes, versionBytes + nonceBytes);
      const tag = sealed.subarray(versionBytes + nonceBytes, versionBytes + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', keyFor(key, 'encrypt'), nonce)
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(tag);
      return Buffer.concat([
        decipher.update(sealed.subarray(versionBytes + nonceBytes + tagBytes)),
        decipher.final(),
      ]);
    },
    sign: (content, purpose, version = newest.version) => sign(keyOf(version), content, purpose),
    verify: (content, purpose, signature) =>
      keys.some((key) => isSameSecret(sign(key, content, purpose), signature)),
    derive: (content, purpose, version) => mac(keyOf(version), content, purpose),
    newestVersion: newest.version,
  };
}
