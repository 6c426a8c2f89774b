import { formatId } from '../../ids.ts';
import { wholeService } from '../../store/acting.ts';

/** How a chain is called: by the account that it belongs to, or `service` for what concerns the service as a whole. */
export function chainName(accountId: string): string {
  return accountId === wholeService ? 'service' : formatId('acc', accountId);
}
