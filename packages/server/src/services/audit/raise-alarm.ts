import type { Context } from '../../context.ts';
import { chainName } from './chain-name.ts';

/** Reports that another writer modified the audit log. */
export function raiseAlarm(
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  accountId: string,
  reason: string,
): void {
  metrics.auditAlarms.inc();
  log.error(
    { chain: chainName(accountId), reason },
    'audit log was modified by another writer: run `tributary audit verify`',
  );
}
