import { eventTypes, type EventType } from '@tributary/contract';
import { isTimestamp } from '@tributary/domain';
import { Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import { recoverWebhook, recoveryWindow, type RecoverFrom } from '../services/webhooks/recover-webhook.ts';
import { resendDelivery } from '../services/webhooks/resend-delivery.ts';
import { rotateSecret } from '../services/webhooks/rotate-secret.ts';
import { testWebhook } from '../services/webhooks/test-webhook.ts';
import { toDeliveryWire } from '../services/webhooks/webhook-wire.ts';
import { formatId } from '../ids.ts';
import { print, requireId } from './command.ts';
import { countOf, whole } from './sandbox-text.ts';
import { addWebhookCommand, exampleId, onWebhook } from './webhook-target.ts';

interface Json {
  json?: boolean;
}

/** What an operator can do for a webhook. */
export function addWebhookActions(webhooks: Command): void {
  addWebhookCommand(webhooks, 'test <webhook-id>', [
    `test ${exampleId}`,
    `test ${exampleId} --type score.updated`,
  ])
    .description('send a made-up event')
    .addOption(
      new Option('--type <event-type>', 'what to make up; else the first that it is told of').choices(
        eventTypes,
      ),
    )
    .action(
      onWebhook(async (ctx, { webhookId, acting }, options: Json & { type?: EventType }) => {
        const { webhook, delivery } = await testWebhook(ctx, acting, webhookId, options.type ?? null);
        const shown = toDeliveryWire(webhook, delivery);
        print(options, shown, `Queued ${shown.event_id}. ${lookAt(webhookId, shown.event_id)}`);
      }),
    );

  addWebhookCommand(webhooks, 'resend <webhook-id> <event-id>', [
    `resend ${exampleId} evt_01jcqz7m3ye5xvv9b1s6k0n4pd`,
  ])
    .description('send a delivery again, or sooner than its next attempt')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, event: string, options: Json) => {
        const eventId = requireId('evt', event);
        const { webhook, delivery } = await resendDelivery(ctx, acting, webhookId, eventId);
        print(options, toDeliveryWire(webhook, delivery), `Queued ${event}. ${lookAt(webhookId, event)}`);
      }),
    );

  addWebhookCommand(webhooks, 'recover <webhook-id>', [
    `recover ${exampleId} --since 2026-03-01T00:00:00Z`,
    `recover ${exampleId} --cursor "$CURSOR"`,
  ])
    .description(
      'queue every event that it wants and has not acknowledged, from a time or a place in the feed on',
    )
    .option('--since <time>', 'from then on, such as 2026-03-01T00:00:00Z')
    .option('--cursor <cursor>', 'after this cursor of the feed')
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
          console.error(`Looked at ${whole(calls * recoveryWindow)} events, ${whole(queued)} queued so far.`);
        }
      }),
    );

  addWebhookCommand(webhooks, 'rotate-secret <webhook-id>', [`rotate-secret ${exampleId}`])
    .description('make a new secret, shown once; for a day the one before is valid too')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, options: Json) => {
        const { secret, previousValidUntil } = await rotateSecret(ctx, acting, webhookId);
        const shown = {
          id: formatId('wh', webhookId),
          secret,
          previous_secret_valid_until: previousValidUntil,
        };
        const text = `${secret}\nThe secret is not shown again. The one before is valid until ${previousValidUntil}.`;
        print(options, shown, text);
      }),
    );
}

function lookAt(webhookId: string, eventId: string): string {
  return `See \`tributary webhooks attempts ${formatId('wh', webhookId)} ${eventId}\`.`;
}

function readStart({ since, cursor }: { since?: string; cursor?: string }): RecoverFrom {
  if (cursor !== undefined && since === undefined) return { cursor };
  if (since === undefined || cursor !== undefined)
    throw new ConfigError('Say from where on: give either --since or --cursor.');
  if (!isTimestamp(since))
    throw new ConfigError(`${since} is not a time; one looks like 2026-03-01T00:00:00Z.`);
  return { sinceMs: Date.parse(since) };
}
