import { deliveryStatuses, type DeliveryStatus, type DeliveryWire } from '@tributary/contract';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { formatId } from '../../ids.ts';
import { getDelivery } from '../../services/webhooks/deliveries/get-delivery.ts';
import { listDeliveries } from '../../services/webhooks/deliveries/list-deliveries.ts';
import {
  toDeliveryDetailWire,
  toDeliveryWire,
  toListedWebhookWire,
} from '../../services/webhooks/webhook-wire.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { listOperatedWebhooks, mostCounted, type OperatedWebhook } from '../../store/webhooks/list.ts';
import { print, requireId, table, withContext } from '../command.ts';
import { harmless, missing } from '../sandbox/text.ts';
import { addWebhookCommand, exampleId, onWebhook } from './target.ts';

const exampleEvent = 'evt_01jcqz7m3ye5xvv9b1s6k0n4pd';
const mostDeliveries = 100;

interface Json {
  json?: boolean;
}

/** Commands that show webhooks and their deliveries. */
export function addWebhookLog(webhooks: Command): void {
  addWebhookCommand(webhooks, 'list', [
    'list',
    'list --account acc_01jcqz4w5ve9prdk6r9f4vg1yx --environment live',
  ])
    .description('list webhooks with their pending and failed deliveries')
    .option('--account <account-id>', 'only webhooks of this account')
    .addOption(
      new Option('--environment <name>', 'only webhooks of this environment').choices(['live', 'sandbox']),
    )
    .action(
      withContext(async (ctx, options: Json & { account?: string; environment?: Environment }) => {
        const rows = await listOperatedWebhooks(ctx.operator, {
          accountId: options.account === undefined ? null : requireId('acc', options.account),
          environment: options.environment ?? null,
        });
        print(options, rows.map(toPrintable), rows.length === 0 ? 'No webhooks.' : describeWebhooks(rows));
      }),
    );

  addWebhookCommand(webhooks, 'deliveries <webhook-id>', [
    `deliveries ${exampleId}`,
    `deliveries ${exampleId} --status failed --limit 20`,
  ])
    .description('list the newest deliveries, newest first')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses))
    .option('--limit <number>', `maximum number of deliveries, 1 to ${mostDeliveries}`, parseLimit, 50)
    .action(
      onWebhook(
        async (ctx, { webhookId, acting }, options: Json & { status?: DeliveryStatus; limit: number }) => {
          const page = await listDeliveries(ctx, acting, webhookId, options);
          const shown = page.deliveries.map((delivery) => toDeliveryWire(page.webhook, delivery));
          print(options, shown, shown.length === 0 ? 'No deliveries.' : describeDeliveries(shown));
        },
      ),
    );

  addWebhookCommand(webhooks, 'attempts <webhook-id> <event-id>', [`attempts ${exampleId} ${exampleEvent}`])
    .description('show the stored attempts of a delivery and the start of each response')
    .action(
      onWebhook(async (ctx, { webhookId, acting }, event: string, options: Json) => {
        const { webhook, delivery } = await getDelivery(ctx, acting, webhookId, requireId('evt', event));
        const shown = toDeliveryDetailWire(webhook, delivery);
        const rows = shown.attempts.map(({ at, status, error, milliseconds, answer: responseText }) => [
          at,
          status === null ? missing : String(status),
          String(milliseconds),
          harmless(error ?? responseText ?? ''),
        ]);
        const attempts =
          rows.length === 0 ? 'Not attempted yet.' : table(['AT', 'STATUS', 'MS', 'ERROR OR RESPONSE'], rows);
        print(options, shown, `${describeDeliveries([shown])}\n\n${attempts}`);
      }),
    );
}

function toPrintable(webhook: OperatedWebhook) {
  const { id, ...shown } = toListedWebhookWire(webhook);
  const { environment, pending, failed } = webhook;
  return { id, account_id: formatId('acc', webhook.accountId), environment, ...shown, pending, failed };
}

function describeWebhooks(webhooks: readonly OperatedWebhook[]): string {
  const rows = webhooks.map((webhook) => [
    formatId('wh', webhook.id),
    formatId('acc', webhook.accountId),
    webhook.environment,
    webhook.disabledReason ? `${webhook.status}: ${webhook.disabledReason}` : webhook.status,
    counted(webhook.pending),
    counted(webhook.failed),
    webhook.lastDeliveryAt ?? missing,
    // The rest of the URL may contain a secret of the receiver.
    harmless(webhook.url.replace(/\?.*/s, '?…')),
  ]);
  return table(
    ['WEBHOOK', 'ACCOUNT', 'ENVIRONMENT', 'STATUS', 'PENDING', 'FAILED', 'LAST ATTEMPT', 'URL'],
    rows,
  );
}

function counted(count: number): string {
  return count === mostCounted ? `${count}+` : String(count);
}

function describeDeliveries(deliveries: readonly DeliveryWire[]): string {
  const rows = deliveries.map((delivery) => [
    delivery.event_id,
    delivery.test ? `${delivery.event_type} (test)` : delivery.event_type,
    delivery.held ? 'held' : delivery.status,
    String(delivery.attempt_count),
    String(delivery.last_attempt?.status ?? missing),
    delivery.next_attempt_at ?? missing,
    delivery.ended_at ?? missing,
  ]);
  return table(['EVENT', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT ATTEMPT', 'ENDED'], rows);
}

function parseLimit(text: string): number {
  const limit = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(limit >= 1 && limit <= mostDeliveries))
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostDeliveries}.`);
  return limit;
}
