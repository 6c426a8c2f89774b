import { ApiError } from '@tributary/contract';
import type { Command } from 'commander';
import { ConfigError } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { findTenantOfWebhook } from '../../store/webhooks/webhooks.ts';
import { actingForTenant } from '../acting.ts';
import { addJsonOption, requireId, withContext } from '../command.ts';

export const exampleId = 'wh_01jcqz8k2he7zrq5m9d3v6x0bt';

interface Target {
  webhookId: string;
  acting: Acting;
}

/** Runs a command on one webhook of any account. API errors end it with their message. */
export function onWebhook<Args extends unknown[]>(
  work: (ctx: Context, target: Target, ...args: Args) => Promise<void>,
): (id: string, ...args: Args) => Promise<void> {
  return withContext(async (ctx, id: string, ...args: Args) => {
    const webhookId = requireId('wh', id);
    const tenant = await findTenantOfWebhook(ctx.operator, webhookId);
    if (!tenant)
      throw new ConfigError(`Webhook ${id} not found. List webhooks with \`tributary webhooks list\`.`);
    await work(ctx, { webhookId, acting: actingForTenant(tenant) }, ...args).catch((error: Error) => {
      throw error instanceof ApiError ? new ConfigError(error.message) : error;
    });
  });
}

/** A sub-command with `--json` and examples. */
export function addWebhookCommand(webhooks: Command, usage: string, examples: string[]): Command {
  const lines = examples.map((line) => `  tributary webhooks ${line}`);
  return addJsonOption(webhooks.command(usage)).addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
