import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { sweepCredentials } from '../services/credentials/sweep-credentials.ts';
import { sweepSignIn } from '../store/accounts/sign-in-guard.ts';
import { forgetInvitations } from '../services/roster/forget-invitations.ts';
import { schedules } from '../queue/queues.ts';

/** Every hour, revokes or deletes expired credentials and deletes old invitations with their personal data. */
export async function scheduleCredentialSweep(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.sweepCredentials, async () => {
    const swept = await sweepCredentials(ctx);
    await sweepSignIn(ctx.operator, ctx.config.dashboard.idleSeconds);
    const invitations = await forgetInvitations(ctx);
    ctx.log.info({ ...swept, invitations }, 'expired credentials and old invitations cleaned up');
  });
  await boss.schedule(schedules.sweepCredentials, '17 * * * *');
}
