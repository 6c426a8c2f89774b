import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findWebhook, type Webhook } from '../../store/webhooks/webhooks.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/** Returns the webhook. Throws `not_found`. */
export async function getWebhook({ db }: Pick<Context, 'db'>, tenant: Tenant, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, tenant, id);
  if (!webhook) throw webhookNotFound(formatId('wh', id));
  return webhook;
}
