import type { Context } from '../../context.ts';
import { chainName } from './chain-name.ts';

/** Tells that somebody else wrote to the audit log. */
export function raiseAlarm(
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  accountId: string,
  reason: string,
): void {
  metrics.auditAlarms.inc();
  log.error(
    { chain: chainName(accountId), reason },
    'the audit log was touched: see `tributary audit verify`',
  );
}
