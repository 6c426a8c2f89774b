import type { Context } from '../context.ts';

export interface Readiness {
  status: 'ready' | 'not_ready';
  checks: Record<string, string>;
}

/** The components that this process needs, and whether they are available. The API also serves without NATS and Redis, and reports that. */
export async function checkReadiness(ctx: Context): Promise<Readiness> {
  const brokerNeeded = ctx.role === 'ingest';
  const checks: Record<string, string> = {
    process: ctx.draining ? 'not ready: shutting down' : 'ok',
    database: await checkDatabase(ctx),
    nats: ctx.broker.connected ? 'ok' : `${brokerNeeded ? 'not ready' : 'degraded'}: not connected`,
  };
  if (ctx.ingestThread) checks['ingest'] = ctx.ingestThread.isRunning ? 'ok' : 'not ready: restarting';
  if (ctx.config.secrets.redisUrl) {
    checks['redis'] =
      ctx.limiter.mode === 'shared'
        ? 'ok'
        : 'degraded: unreachable, each node enforces its own share of the limits';
  }
  const ready = Object.values(checks).every((state) => !state.startsWith('not ready'));
  return { status: ready ? 'ready' : 'not_ready', checks };
}

async function checkDatabase(ctx: Context): Promise<string> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('not ready: no response within 2 s'), 2_000).unref();
  });
  const check = ctx.db.query('SELECT 1').then(
    () => 'ok',
    // The message may name hosts and roles, and this endpoint is public.
    (error: { code?: string }) => `not ready: ${error.code ?? 'no connection'}`,
  );
  return Promise.race([check, late]);
}
