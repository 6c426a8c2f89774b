import type { Tokens } from '@tributary/providers';
import type { Keyring } from '../../credentials/keyring.ts';

/** Encrypts tokens for storage. They can be decrypted only for their own connection. */
export function sealTokens(keyring: Keyring, deviceId: string, tokens: Tokens): Buffer {
  return keyring.encrypt(Buffer.from(JSON.stringify(tokens)), tokenSeal(deviceId));
}

export function unsealTokens(keyring: Keyring, deviceId: string, sealed: Buffer): Tokens {
  return JSON.parse(keyring.decrypt(sealed, tokenSeal(deviceId)).toString()) as Tokens;
}

/** The encryption context of a connection's tokens. */
export function tokenSeal(deviceId: string): string {
  return `connection/${deviceId}`;
}
