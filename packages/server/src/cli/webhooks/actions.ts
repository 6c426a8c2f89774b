import { eventTypes, type EventType } from '@tributary/contract';
import { isTimestamp } from '@tributary/domain';
import { Option, type Command } from 'commander';
import { ConfigError } from '../../config.ts';
import { recoverWebhook, recoveryWindow, type RecoverFrom } from '../../services/webhooks/recover-webhook.ts';
import { resendDelivery } from '../../services/webhooks/deliveries/resend-delivery.ts';
import { rotateSecret } from '../../services/webhooks/rotate-secret.ts';
import { testWebhook } from '../../services/webhooks/test-webhook.ts';
import { toDeliveryWire } from '../../services/webhooks/webhook-wire.ts';
import { formatId } from '../../ids.ts';
import { print, requireId } from '../command.ts';
import { countOf, whole } from '../sandbox/text.ts';
import { addWebhookCommand, exampleId, onWebhook } from './target.ts';

interface Json {
  json?: boolean;
}

/** Operator commands for a webhook. */
export function addWebhookActions(webhooks: Command): void {
  addWebhookCommand(webhooks, 'test <webhook-id>', [
    `test ${exampleId}`,
    `test ${exampleId} --type score.updated`,
  ])
    .description('send a sample event')
    .addOption(
      new Option(
        '--type <event-type>',
        'event type to send; by default, the first type that the webhook subscribes to',
      ).choices(eventTypes),
    )
    .action(
      onWebhook(async (ctx, { webhookId, acting }, options: Json & { type?: EventType }) => {
        const { webhook, delivery } = await testWebhook(ctx, acting, webhookId, options.type ?? null);
        const shown = toDeliveryWire(webhook, delivery);
        print(options, shown, `Queued ${shown.event_id}. ${attemptsHint(webhookId, shown.event_id)}`);
      }),
    );

  addWebhookCommand(webhooks, 'resend <webhook-id> <event-id>', [
    `resend ${exampleId} evt_01jcqz7m3ye5xvv9b1s6k0n4pd`,
  ])
    .description('resend a delivery, or send a pending one before its next attempt')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, event: string, options: Json) => {
        const eventId = requireId('evt', event);
        const { webhook, delivery } = await resendDelivery(ctx, acting, webhookId, eventId);
        print(
          options,
          toDeliveryWire(webhook, delivery),
          `Queued ${event}. ${attemptsHint(webhookId, event)}`,
        );
      }),
    );

  addWebhookCommand(webhooks, 'recover <webhook-id>', [
    `recover ${exampleId} --since 2026-03-01T00:00:00Z`,
    `recover ${exampleId} --cursor "$CURSOR"`,
  ])
    .description(
      'queue all subscribed events that the endpoint has not acknowledged, starting at a time or a feed cursor',
    )
    .option('--since <time>', 'start time, such as 2026-03-01T00:00:00Z')
    .option('--cursor <cursor>', 'start after this feed cursor')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, options: Json & { since?: string; cursor?: string }) => {
        let from = readStart(options);
        let queued = 0;
        for (let calls = 1; ; calls += 1) {
          const done = await recoverWebhook(ctx, acting, webhookId, from);
          queued += done.queued;
          from = { cursor: done.cursor };
          if (!done.hasMore) {
            const shown = { queued, cursor: done.cursor };
            print(
              options,
              shown,
              `Queued ${countOf(queued, 'event')}. See \`tributary webhooks deliveries\`.`,
            );
            return;
          }
          console.error(`Scanned ${whole(calls * recoveryWindow)} events, ${whole(queued)} queued so far.`);
        }
      }),
    );

  addWebhookCommand(webhooks, 'rotate-secret <webhook-id>', [`rotate-secret ${exampleId}`])
    .description('create a new signing secret (shown once); the previous secret stays valid for a day')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, options: Json) => {
        const { secret, previousValidUntil } = await rotateSecret(ctx, acting, webhookId);
        const shown = {
          id: formatId('wh', webhookId),
          secret,
          previous_secret_valid_until: previousValidUntil,
        };
        const text = `${secret}\nSave the secret now: it is not shown again. The previous secret is valid until ${previousValidUntil}.`;
        print(options, shown, text);
      }),
    );
}

function attemptsHint(webhookId: string, eventId: string): string {
  return `See \`tributary webhooks attempts ${formatId('wh', webhookId)} ${eventId}\`.`;
}

function readStart({ since, cursor }: { since?: string; cursor?: string }): RecoverFrom {
  if (cursor !== undefined && since === undefined) return { cursor };
  if (since === undefined || cursor !== undefined) throw new ConfigError('Pass either --since or --cursor.');
  if (!isTimestamp(since))
    throw new ConfigError(`${since} is not a timestamp. Use a format such as 2026-03-01T00:00:00Z.`);
  return { sinceMs: Date.parse(since) };
}
