import type { Command } from 'commander';
import { addWebhookActions } from './actions.ts';
import { addWebhookListen } from './listen.ts';
import { addWebhookLog } from './log.ts';

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('manage webhooks and their deliveries');
  addWebhookLog(webhooks);
  addWebhookActions(webhooks);
  addWebhookListen(webhooks);
}
