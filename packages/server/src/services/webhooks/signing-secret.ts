import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../credentials/keyring.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret: as it is shown once, and as it is stored. */
export function createSigningSecret(keyring: Keyring, webhookId: string): { shown: string; sealed: Buffer } {
  const secret = randomBytes(secretBytes);
  return { shown: prefix + secret.toString('base64'), sealed: keyring.encrypt(secret, boundTo(webhookId)) };
}

/** The bytes with which deliveries are signed. */
export function openSigningSecret(keyring: Keyring, webhookId: string, sealed: Buffer): Buffer {
  return keyring.decrypt(sealed, boundTo(webhookId));
}

function boundTo(webhookId: string): string {
  return `webhook-secret:${webhookId}`;
}
