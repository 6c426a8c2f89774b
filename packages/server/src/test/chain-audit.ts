import { actingByItself, type ActingForAccount } from '../store/audit/actor.ts';
import { inTransaction } from '../store/database/database.ts';
import { chainEntries } from '../services/audit/chain-entries.ts';
import { record, type Change } from '../services/audit/record.ts';
import { openSession } from '../store/database/database.ts';
import type { TestApp } from './apps/test-app.ts';

/** Records a fictitious change in its own transaction. */
export async function recordTestChange(
  app: TestApp,
  change: Partial<Change> = {},
  acting: ActingForAccount = actingByItself({ accountId: app.account.uuid, environment: 'live' }, 'test'),
): Promise<void> {
  const whole: Change = { action: 'user.updated', target: { type: 'user', id: 'user_x' }, ...change };
  await inTransaction(app.ctx.operator, (tx) => record(app.ctx, tx, acting, whole));
}

/** Chains all pending entries, as the auditor does. */
export async function chainAudit(app: TestApp): Promise<number> {
  const { config } = app.ctx;
  const session = await openSession({
    url: config.secrets.database.service.url.read(),
    role: 'operator',
    statementTimeoutMs: 10_000,
    applicationName: 'test-auditor',
  });
  try {
    return (await chainEntries(app.ctx, session, { sinceXid: '0', limit: 100_000 })).entries;
  } finally {
    await session.end();
  }
}
