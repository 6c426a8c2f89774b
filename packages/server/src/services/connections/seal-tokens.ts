import type { Tokens } from '@tributary/providers';
import type { Keyring } from '../../credentials/keyring.ts';

/** Tokens as they are stored, worth nothing outside of the row of their connection. */
export function sealTokens(keyring: Keyring, deviceId: string, tokens: Tokens): Buffer {
  return keyring.encrypt(Buffer.from(JSON.stringify(tokens)), tokenSeal(deviceId));
}

export function unsealTokens(keyring: Keyring, deviceId: string, sealed: Buffer): Tokens {
  return JSON.parse(keyring.decrypt(sealed, tokenSeal(deviceId)).toString()) as Tokens;
}

/** What the tokens of a connection are bound to. */
export function tokenSeal(deviceId: string): string {
  return `connection/${deviceId}`;
}
