import type { NeedWire } from '@tributary/contract';
import { dayMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { ApiKey } from '../../store/accounts/api-keys.ts';
import type { WebhookState } from '../../store/dashboard/webhooks.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { boundedCount, boundedWaiting } from './bounded-count.ts';
import { countDeadLetters } from './count-dead-letters.ts';
import type { ProviderSummary } from './summarize-providers.ts';

const keyWarningDays = 14;

/** Returns items that need attention, the most severe first. Contains no measured values. */
export async function listAttentionItems(
  ctx: Pick<Context, 'db' | 'operator' | 'clock' | 'config'>,
  tenant: Tenant,
  known: {
    webhooks: readonly WebhookState[];
    providers: readonly ProviderSummary[];
    keys: readonly ApiKey[];
    hasAuthenticator: boolean;
  },
): Promise<NeedWire[]> {
  const [deadLetters, account] = await Promise.all([
    countDeadLetters(ctx, tenant),
    findAccount(ctx.db, tenant.accountId),
  ]);
  return [
    ...known.webhooks.flatMap(disabledNeed),
    ...known.webhooks.flatMap(failingNeed),
    ...known.providers.flatMap(refusingNeed),
    ...(deadLetters.count > 0
      ? [plainNeed('dead_letters', deadLetters.oldestAt, boundedCount(deadLetters.count))]
      : []),
    ...silentNeed(known.providers),
    ...known.keys.flatMap((key) => endingNeed(key, ctx.clock.now())),
    ...(known.hasAuthenticator ? [] : [plainNeed('no_authenticator')]),
    ...(account?.organizationName === null || ctx.config.mail === null
      ? [plainNeed('roster_not_configured')]
      : []),
  ];
}

function plainNeed(
  kind: NeedWire['kind'],
  since: string | null = null,
  count: NeedWire['count'] = null,
): NeedWire {
  return { kind, subject: null, since, count, detail: {} };
}

function disabledNeed(webhook: WebhookState): NeedWire[] {
  if (webhook.status !== 'disabled') return [];
  const { updatedAt, disabledReason } = webhook;
  return [
    {
      ...plainNeed('webhook_disabled', updatedAt, boundedWaiting(webhook)),
      subject: subjectOf(webhook),
      detail: { reason: disabledReason, ...lastResponseOf(webhook) },
    },
  ];
}

function failingNeed(webhook: WebhookState): NeedWire[] {
  const { status, failingSince } = webhook;
  if (status !== 'active' || failingSince === null) return [];
  const need = plainNeed('webhook_failing', failingSince, boundedWaiting(webhook));
  return [{ ...need, subject: subjectOf(webhook), detail: lastResponseOf(webhook) }];
}

function subjectOf({ id, url }: WebhookState) {
  return { id: formatId('wh', id), name: url };
}

function lastResponseOf({ lastAttempt }: WebhookState): NeedWire['detail'] {
  return { status: lastAttempt?.status ?? null, error: lastAttempt?.error ?? null };
}

function refusingNeed({ id, name, ended, firstEndedAt }: ProviderSummary): NeedWire[] {
  if (ended === 0) return [];
  return [{ ...plainNeed('provider_refusing', firstEndedAt, boundedCount(ended)), subject: { id, name } }];
}

function silentNeed(providers: readonly ProviderSummary[]): NeedWire[] {
  const silent = providers.reduce((sum, { byState }) => sum + byState.silent, 0);
  return silent > 0 ? [plainNeed('devices_silent', null, { value: silent, more: false })] : [];
}

function endingNeed(key: ApiKey, nowMs: number): NeedWire[] {
  const leftMs = Date.parse(key.expiresAt) - nowMs;
  if (key.revokedAt !== null || leftMs <= 0 || leftMs > keyWarningDays * dayMs) return [];
  return [
    {
      ...plainNeed('key_ending'),
      subject: { id: formatId('key', key.id), name: key.hint },
      detail: {
        ends_at: key.expiresAt,
        days_left: Math.floor(leftMs / dayMs),
        last_used_at: key.lastUsedAt,
      },
    },
  ];
}
