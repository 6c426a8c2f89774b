import type { Webhook } from '../../store/webhooks.ts';

/** What the audit log may tell of a webhook: of the URL, which may carry a secret, the host alone. */
export function auditedSettings(webhook: Webhook): Record<string, unknown> {
  return {
    host: new URL(webhook.url).host,
    events: webhook.events,
    status: webhook.status,
    coalesce_seconds: webhook.coalesceSeconds,
    rate_limit: webhook.rateLimit,
  };
}
