import { formatId } from '../../ids.ts';
import { wholeService } from '../../store/audit/actor.ts';

/** The display name of a chain: its account ID, or `service` for the chain of the service itself. */
export function chainName(accountId: string): string {
  return accountId === wholeService ? 'service' : formatId('acc', accountId);
}
