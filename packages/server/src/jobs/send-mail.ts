import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { sendMail } from '../services/mails/send-mail.ts';
import { sendOperatorMail } from '../services/operators/operator-mail.ts';
import { processJobs } from './process-jobs.ts';

/** Sends mail after the change that requests it has committed. A node without a mail server leaves mail to the nodes that have one. */
export async function processMails(ctx: Context, boss: PgBoss): Promise<void> {
  if (ctx.mailer === null) return;
  await processJobs(ctx, boss, 'send-mail', { atOnce: 4 }, async ({ mailId }) => {
    const outcome = await sendMail(ctx, mailId);
    if (outcome) ctx.log.info({ mailId, ...outcome }, 'email finished');
  });
  await processJobs(ctx, boss, 'send-operator-mail', { atOnce: 1 }, (mail) => sendOperatorMail(ctx, mail));
}
