import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError, type Config } from './config.ts';
import type { Context, Role } from './context.ts';
import { createContext } from './create-context.ts';
import { serveApi } from './http/frame/serve.ts';
import { runIngest } from './ingest/run-ingest.ts';
import { runIngestThread } from './ingest/run-ingest-thread.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { createLog } from './log.ts';
import { prepareDatabase } from './migrate.ts';
import { startOpsServer } from './ops/ops-server.ts';
import { runKeeper } from './keeper/run-keeper.ts';
import { createRenewalRequests } from './services/connections/renewal-requests.ts';
import { isEncryptionStarted } from './store/raw-keys/encryption-progress.ts';
import { ensureSigningKey } from './services/signing-keys/ensure-signing-key.ts';
import { findUnprotectedEngines } from './unprotected-engines.ts';

const databasePatienceMs = 30_000;
const shutdownLimitMs = 9_000;
/** A provider may take 20 seconds to respond, and no other process gets the new tokens. */
const keeperShutdownLimitMs = 45_000;

/** Runs a role in the foreground until the process is asked to stop. */
export async function runRole(config: Config, role: Role): Promise<void> {
  const log = createLog(config, role);
  if (config.env === 'production') for (const warning of findUnprotectedEngines(config)) log.warn(warning);
  const stop = waitForStopSignal();
  // Before anything needs an orderly stop, a signal ends the process: an unfinished migration rolls back.
  let started = false;
  void stop.then(() => started || process.exit(0));
  await waitForDatabase(config, log);

  await using parts = new AsyncDisposableStack();
  const ctx = parts.use(await createContext(config, role, log));
  ctx.renewals = createRenewalRequests(ctx);
  await ensureSigningKey(ctx);
  if (!(await isEncryptionStarted(ctx.operator)))
    log.warn(
      'raw payloads are not encrypted: run `tributary raw encrypt` once all processes have this version',
    );
  const ops = await startOpsServer(ctx);
  parts.defer(() => ops.close().closeAllConnections());
  const limit = new ShutdownLimit(log);
  // Stopped last, because others may wait for it.
  if (role === 'keeper' || role === 'all') parts.use(runKeeper(ctx, () => limit.set(keeperShutdownLimitMs)));
  for (const start of partsOf(role)) parts.use(await start(ctx));
  started = true;
  log.info({ env: config.env, http: config.http.port, metrics: config.ops.port }, 'started');

  const signal = await stop;
  log.info({ signal }, 'stopping');
  ctx.draining = true;
  limit.set(shutdownLimitMs);
  await parts.disposeAsync();
  log.info('stopped');
}

/** Ends the process if it does not stop in time. */
class ShutdownLimit {
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Allows this much time from now on. */
  set(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#log.error('shutdown timed out');
      process.exit(1);
    }, ms).unref();
  }
}

function partsOf(role: Role): ((ctx: Context) => Promise<AsyncDisposable>)[] {
  switch (role) {
    case 'api':
      return [serveApi];
    case 'ingest':
      return [runIngest];
    case 'jobs':
      return [runJobs];
    case 'keeper':
      return [];
    case 'all':
      // Ingest computes for long, so it must not share the event loop with requests.
      return [runJobs, startIngestThread, serveApi];
  }
}

async function startIngestThread(ctx: Context): Promise<AsyncDisposable> {
  return (ctx.ingestThread = await runIngestThread(ctx));
}

async function waitForStopSignal(): Promise<string> {
  return Promise.race([
    once(process, 'SIGTERM').then(() => 'SIGTERM'),
    once(process, 'SIGINT').then(() => 'SIGINT'),
  ]);
}

/** Waits for a database that is starting up, but not for one that rejects us permanently. */
async function waitForDatabase(config: Config, log: Logger): Promise<void> {
  const until = Date.now() + databasePatienceMs;
  for (;;) {
    try {
      return await prepareDatabase(config, log);
    } catch (error) {
      const { code } = error as { code?: string };
      const passing =
        ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '57P03', '53300'].includes(code ?? '') ||
        /connection timeout|timeout expired/.test((error as Error).message);
      if (!passing) throw error;
      if (Date.now() > until)
        throw new ConfigError(
          `Could not connect to PostgreSQL within 30 s: ${(error as Error).message || code}`,
        );
      log.warn({ code }, 'waiting for PostgreSQL');
      await sleep(1_000);
    }
  }
}
