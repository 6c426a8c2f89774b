import { createHmac } from 'node:crypto';

/** A message to be signed, with the keys of all secrets that are valid now. */
export interface SignedMessage {
  /** Bytes of the secrets, without `whsec_` and decoded. */
  secrets: readonly Buffer[];
  id: string;
  timestampSeconds: number;
  body: string;
}

/**
 * The header `webhook-signature` of Standard Webhooks: one signature a secret, separated by spaces, so that a receiver that knows either
 * secret of a rotation finds its own.
 */
export function signMessage({ secrets, id, timestampSeconds, body }: SignedMessage): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ');
}
