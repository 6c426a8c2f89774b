import { findBinaries, assertInstalled, type Binaries, type EngineName } from './binaries.ts';
import type { Supervision } from '../processes/child.ts';
import { addressIn, existingEngine, type Engine, type ResettableEngine } from './engine.ts';
import { createNats } from './nats.ts';
import { assertSecretsExist, findPostgresMajor } from './postgres-cluster.ts';
import { createPostgres } from './postgres.ts';
import { createRedis } from './redis.ts';
import { openFolder } from '../folder.ts';
import { startGuard } from '../processes/guard.ts';
import { rotateLogs } from '../processes/log-file.ts';
import { freeEnginePorts, type EnginePorts } from '../ports/port-plan.ts';
import { trackStep, type OnProgress } from '../cli/progress.ts';
import { ensureEngineSecrets, type EngineSecrets } from '../service/secrets.ts';
import { together } from '../processes/together.ts';

/** PostgreSQL, NATS and Redis, ready for use. */
export interface Engines {
  /** As the role of the service, which owns the database `tributary`. */
  readonly databaseUrl: string;
  /** As superuser of the database server, for tests that create their own databases. */
  readonly adminDatabaseUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly postgres: Engine;
  readonly nats: ResettableEngine;
  readonly redis: ResettableEngine;
}

export interface RunningEngines extends Engines, AsyncDisposable {
  stop(): Promise<void>;
}

/** Engines to use instead of starting new ones. */
export interface ExistingEngines {
  databaseUrl?: string | undefined;
  natsUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** A mail server for delivery. Without one, the local inbox receives all mail. */
  smtpUrl?: string | undefined;
  labUrl?: string | undefined;
}

export interface StartEnginesOptions {
  dir: string;
  ports?: EnginePorts;
  onProgress?: OnProgress;
  /** Aborting it cancels the start. */
  signal?: AbortSignal;
}

/** Starts private engines in a folder, on free ports unless ports are given. */
export async function startEngines(options: StartEnginesOptions): Promise<RunningEngines> {
  const { ports, onProgress = () => {}, signal } = options;
  const binaries = await findEngineBinaries(options.dir, {});
  assertSecretsExist(options.dir);
  await using cleanup = new AsyncDisposableStack();
  const guard = cleanup.use(startGuard());
  const dir = await openFolder(options.dir);
  rotateLogs(dir);
  const giveUp = new AbortController();
  const supervision: Supervision = {
    dir,
    guard,
    signal: signal === undefined ? giveUp.signal : AbortSignal.any([signal, giveUp.signal]),
    hurry: new AbortController().signal,
    onUnexpectedExit: () => {},
  };
  const engines = await launchEngines(supervision, cleanup, {
    binaries,
    secrets: await ensureEngineSecrets(dir),
    ports: ports ?? (await freeEnginePorts()),
    existing: {},
    onProgress,
    onFailure: (error) => giveUp.abort(error),
  });
  const running = cleanup.move();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= running.disposeAsync());
  return { ...engines, stop, [Symbol.asyncDispose]: stop };
}

/** Finds the programs of all engines to start, or throws with installation instructions. */
export async function findEngineBinaries(
  dir: string | undefined,
  existing: ExistingEngines,
): Promise<Binaries> {
  const major = dir === undefined ? undefined : await findPostgresMajor(dir);
  const binaries = findBinaries(undefined, major);
  assertInstalled(binaries, enginesToStart(existing));
  return binaries;
}

export function enginesToStart({ databaseUrl, natsUrl, redisUrl }: ExistingEngines): EngineName[] {
  const urls: Record<EngineName, string | undefined> = {
    postgres: databaseUrl,
    nats: natsUrl,
    redis: redisUrl,
  };
  return (['postgres', 'nats', 'redis'] as const).filter((name) => urls[name] === undefined);
}

interface LaunchOptions {
  binaries: Binaries;
  secrets: EngineSecrets;
  ports: EnginePorts;
  existing: ExistingEngines;
  onProgress: OnProgress;
  onFailure: (error: unknown) => void;
}

/** Starts the engines in parallel. `cleanup` stops them. */
export async function launchEngines(
  supervision: Supervision,
  cleanup: AsyncDisposableStack,
  { binaries, secrets, ports, existing, onProgress, onFailure }: LaunchOptions,
): Promise<Engines> {
  const { databaseUrl, natsUrl, redisUrl } = existing;
  const postgres =
    databaseUrl === undefined
      ? await createPostgres(supervision, requireProgram(binaries.postgres), secrets, ports.postgres)
      : existingEngine('postgres', databaseUrl, 5432);
  const nats =
    natsUrl === undefined
      ? createNats(supervision, requireProgram(binaries.nats), ports.nats)
      : existingEngine('nats', natsUrl, 4222);
  const redis =
    redisUrl === undefined
      ? createRedis(supervision, requireProgram(binaries.redis), ports.redis)
      : existingEngine('redis', redisUrl, 6379);
  cleanup.defer(() => together([redis.stop(), nats.stop(), postgres.stop()], () => {}));

  const own = enginesToStart(existing);
  const start = (title: string, engine: Engine): Promise<void> => {
    const detail = `${own.includes(engine.name) ? '' : 'existing, '}${addressIn(engine.url)}`;
    return trackStep(onProgress, title, detail, () => engine.start());
  };
  await together([start('PostgreSQL', postgres), start('NATS', nats), start('Redis', redis)], onFailure);
  return {
    databaseUrl: postgres.url,
    adminDatabaseUrl: 'adminUrl' in postgres ? postgres.adminUrl : postgres.url,
    natsUrl: nats.url,
    redisUrl: redis.url,
    postgres,
    nats,
    redis,
  };
}

function requireProgram<Program>(program: Program | null): Program {
  if (program === null) throw new Error('assertInstalled must run before engines are launched');
  return program;
}
