import { scoreStaleUsers } from '../../services/scores/score-stale-users.ts';
import type { TestApp } from '../apps/test-app.ts';

/** Computes every pending score immediately. */
export async function scoreThrough({ admin, ctx }: TestApp): Promise<void> {
  await admin.query(`UPDATE stale_scores SET due_at = tributary_now() - interval '1 second'`);
  while ((await scoreStaleUsers(ctx, 10)) > 0);
}
