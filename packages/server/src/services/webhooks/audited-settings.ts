import type { Webhook } from '../../store/webhooks/webhooks.ts';

/** The settings of a webhook for the audit log. Of the URL, which may contain a secret, only the host. */
export function auditedSettings(webhook: Webhook): Record<string, unknown> {
  return {
    host: new URL(webhook.url).host,
    events: webhook.events,
    status: webhook.status,
    coalesce_seconds: webhook.coalesceSeconds,
    rate_limit: webhook.rateLimit,
  };
}
