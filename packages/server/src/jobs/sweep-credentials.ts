import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { sweepCredentials } from '../services/credentials/sweep-credentials.ts';
import { sweepSignIn } from '../store/sign-in-guard.ts';
import { forgetInvitations } from '../services/roster/forget-invitations.ts';
import { schedules } from './queues.ts';

/** Once an hour: credentials past their end are marked or removed, and people forgotten who were asked long ago. */
export async function scheduleCredentialSweep(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.sweepCredentials, async () => {
    const swept = await sweepCredentials(ctx);
    await sweepSignIn(ctx.operator);
    const invitations = await forgetInvitations(ctx);
    ctx.log.info({ ...swept, invitations }, 'credentials and invitations swept');
  });
  await boss.schedule(schedules.sweepCredentials, '17 * * * *');
}
