import type pg from 'pg';
import type { Context } from '../context.ts';
import { Anchoring } from '../services/audit/anchor-heads.ts';
import { chainEntries } from '../services/audit/chain-entries.ts';
import { signHeadsAnew } from '../services/audit/sign-heads-anew.ts';
import { readAuditLagSeconds } from '../store/audit/chain.ts';
import { pause, runSingletonSession } from './singleton-session.ts';

/** Maximum entries chained in one transaction. */
const mostEntries = 5_000;
/** How often to poll for new entries. */
const pollIntervalMs = 20;
const measureEveryMs = 1_000;

/** Chains entries into the audit log until disposed. One session at a time does so across all nodes; another takes over when it ends. */
export function runAuditor(ctx: Context): AsyncDisposable {
  return runSingletonSession(ctx, {
    name: 'auditor',
    onWaiting: () => ctx.metrics.auditLagSeconds.set(0), // the session that holds the lock reports it
    work: (session, signal) => chain(ctx, session, signal),
  });
}

async function chain(ctx: Context, session: pg.Client, signal: AbortSignal): Promise<void> {
  await signHeadsAnew(ctx, session);
  await using anchoring = new Anchoring(ctx);
  let sinceXid = '0';
  let measuredAt = -Infinity;
  while (!signal.aborted) {
    // Measured before anything that may fail, so that a stuck auditor still reports its lag.
    if (performance.now() - measuredAt > measureEveryMs) {
      ctx.metrics.auditLagSeconds.set(await readAuditLagSeconds(session, sinceXid));
      measuredAt = performance.now();
    }
    const chained = await chainEntries(ctx, session, { sinceXid, limit: mostEntries });
    sinceXid = chained.sinceXid;
    ctx.metrics.auditEntries.inc(chained.entries);
    anchoring.offer(chained.heads);
    if (chained.entries < mostEntries) await pause(pollIntervalMs, signal);
  }
}
