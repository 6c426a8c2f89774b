import { signMessage } from './sign.ts';

/** The request headers: those of Standard Webhooks, signed with every valid secret. */
export function messageHeaders(
  secrets: readonly Buffer[],
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const timestampSeconds = Math.floor(nowMs / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Tributary-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signMessage({ secrets, id, timestampSeconds, body }),
  };
}
