import type { Context } from '../../context.ts';
import { subjects } from '../../stream/subjects.ts';

/** Tells every node to look credentials up again. Call it after the commit. */
export function announceCredentialChange(ctx: Pick<Context, 'broker'>): void {
  ctx.broker.publish(subjects.credentialsChanged);
}
