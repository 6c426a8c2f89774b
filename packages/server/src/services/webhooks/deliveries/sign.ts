import { createHmac } from 'node:crypto';

/** A message to sign, with all valid secrets. */
export interface SignedMessage {
  /** The decoded secrets, without `whsec_`. */
  secrets: readonly Buffer[];
  id: string;
  timestampSeconds: number;
  body: string;
}

/**
 * The `webhook-signature` header of Standard Webhooks: one signature per secret, separated by spaces, so that a receiver with either secret of a
 * rotation finds a match.
 */
export function signMessage({ secrets, id, timestampSeconds, body }: SignedMessage): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ');
}
