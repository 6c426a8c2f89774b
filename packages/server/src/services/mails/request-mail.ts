import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertMail, type NewMail } from '../../store/roster/mails.ts';
import type { Tenant } from '../../store/database/tenant.ts';

/** Enqueues a mail that is sent after the transaction commits. */
export async function requestMail(
  ctx: Pick<Context, 'newId' | 'jobs'>,
  tx: Queryable,
  tenant: Tenant,
  mail: Omit<NewMail, 'id'>,
): Promise<void> {
  const id = ctx.newId();
  await insertMail(tx, tenant, { id, ...mail });
  await ctx.jobs.enqueue(tx, 'send-mail', { key: id, data: { mailId: id } });
}
