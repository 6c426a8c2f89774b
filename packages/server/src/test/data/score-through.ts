import { scoreStaleUsers } from '../../services/scores/score-stale-users.ts';
import { findDueUsers } from '../../store/scores/stale.ts';
import { noAccount } from '../../store/uploads/pending-batches.ts';
import type { TestApp } from '../apps/test-app.ts';

/** Computes every pending score immediately. */
export async function scoreThrough({ admin, ctx }: Pick<TestApp, 'admin' | 'ctx'>): Promise<void> {
  await admin.query(`UPDATE stale_scores SET due_at = tributary_now() - interval '1 second'`);
  while ((await scoreDueUsers(ctx, 10)) > 0);
}

/** Computes scores that are due, of up to `limit` users. Returns the number of users. */
export async function scoreDueUsers(ctx: TestApp['ctx'], limit: number): Promise<number> {
  return scoreStaleUsers(ctx, (await findDueUsers(ctx.operator, limit, noAccount)).userIds);
}
