import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../credentials/keyring.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** Creates a secret, in the form shown once and in the encrypted form that is stored. */
export function createSigningSecret(keyring: Keyring, webhookId: string): { shown: string; sealed: Buffer } {
  const secret = randomBytes(secretBytes);
  return { shown: prefix + secret.toString('base64'), sealed: keyring.encrypt(secret, boundTo(webhookId)) };
}

/** Decrypts the key that signs deliveries. */
export function openSigningSecret(keyring: Keyring, webhookId: string, sealed: Buffer): Buffer {
  return keyring.decrypt(sealed, boundTo(webhookId));
}

function boundTo(webhookId: string): string {
  return `webhook-secret:${webhookId}`;
}
