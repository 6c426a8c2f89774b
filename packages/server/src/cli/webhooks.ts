import type { Command } from 'commander';
import { addWebhookActions } from './webhooks-actions.ts';
import { addWebhookListen } from './webhooks-listen.ts';
import { addWebhookLog } from './webhooks-log.ts';

export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('endpoints that are told of events, and what became of each');
  addWebhookLog(webhooks);
  addWebhookActions(webhooks);
  addWebhookListen(webhooks);
}
