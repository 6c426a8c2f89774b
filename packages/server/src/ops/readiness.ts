import type pg from 'pg';
import type { Context } from '../context.ts';
import { inspectBoundary } from '../store/database/boundary.ts';
import type { Queryable } from '../store/database/database.ts';
import { findKeyStoreId } from '../store/raw-keys/key-store.ts';

export interface Readiness {
  status: 'ready' | 'not_ready';
  checks: Record<string, string>;
}

/** The components that this process needs, and whether they are available. The API also serves without NATS and Redis, and reports that. */
export async function checkReadiness(ctx: Context): Promise<Readiness> {
  const brokerNeeded = ctx.role === 'ingest';
  const limitsRequests = ctx.role === 'api' || ctx.role === 'all';
  const checks: Record<string, string> = {
    process: ctx.draining ? 'not ready: shutting down' : 'ok',
    database: await checkDatabase(ctx),
    loops: checkLoops(ctx),
    nats: ctx.broker.connected
      ? 'ok'
      : `${brokerNeeded ? 'not ready' : 'degraded'}: ${ctx.broker.failure?.kind ?? 'not connected'}`,
  };
  if (ctx.ingestThread) checks['ingest'] = ctx.ingestThread.isRunning ? 'ok' : 'not ready: restarting';
  if (ctx.rawPayloads.keyStore) checks['key_store'] = await checkKeyStore(ctx.rawPayloads.keyStore);
  if (ctx.config.secrets.redis && limitsRequests) checks['redis'] = checkRedis(ctx);
  const ready = Object.values(checks).every((state) => !state.startsWith('not ready'));
  return { status: ready ? 'ready' : 'not_ready', checks };
}

async function checkDatabase(ctx: Context): Promise<string> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('not ready: no response within 2 s'), 2_000).unref();
  });
  const checks = [checkPool(ctx.db, 'service'), checkPool(ctx.operator, 'operator')];
  const check = Promise.all(checks).then(
    (results) => results.find((result) => result !== 'ok') ?? 'ok',
    // The message may name hosts and roles, and this endpoint is public.
    (error: { code?: string }) => `not ready: ${error.code ?? 'no connection'}`,
  );
  return Promise.race([check, late]);
}

async function checkPool(pool: pg.Pool, role: 'service' | 'operator'): Promise<string> {
  const { problems, isReadOnly } = await inspectBoundary(pool, role);
  if (problems.length > 0) return 'not ready: tenants are not isolated';
  return isReadOnly ? 'not ready: read-only' : 'ok';
}

/** Reads work without it. Uploads get a 503 response, and processing waits, for users whose keys are not in memory. */
async function checkKeyStore(keyStore: Queryable): Promise<string> {
  const degraded = 'degraded: unreachable, uploads are rejected and erasures wait';
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve(degraded), 2_000).unref();
  });
  const check = findKeyStoreId(keyStore).then(
    (id) => (id === null ? degraded : 'ok'),
    () => degraded,
  );
  return Promise.race([check, late]);
}

function checkRedis({ limiter }: Context): string {
  const failure = limiter.storeFailure;
  if (failure === null && limiter.mode === 'shared') return 'ok';
  const cause = failure === null || failure.kind === 'not connected' ? 'unreachable' : failure.kind;
  return `degraded: ${cause}, each node enforces its own share of the limits`;
}

/** A loop without progress shows that the process cannot work, even if new connections to the database succeed. */
function checkLoops({ loops }: Context): string {
  const silent = loops.silent();
  return silent.length === 0 ? 'ok' : `not ready: no progress in ${silent.join(', ')}`;
}
