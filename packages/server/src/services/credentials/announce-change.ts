import type { Context } from '../../context.ts';
import { subjects } from '../../stream/subjects.ts';

/** Notifies every node to reload credentials. Call it after the commit. */
export function announceCredentialChange(ctx: Pick<Context, 'broker'>): void {
  ctx.broker.publish(subjects.credentialsChanged);
}
