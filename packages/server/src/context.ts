import type { Logger } from 'pino';
import type pg from 'pg';
import { systemClock, TestClock, type Clock } from './clock.ts';
import { ConfigError, type Config } from './config.ts';
import { createKeyring, type Keyring } from './credentials/keyring.ts';
import { createIdSource } from './ids.ts';
import { openJobQueue, type JobQueue } from './jobs/job-queue.ts';
import { Limiter } from './limiter/limiter.ts';
import type { SharedStore } from './limiter/shared-store.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createMetrics, observePools, type Metrics } from './ops/metrics.ts';
import { createOutbound, type Outbound } from './outbound/outbound.ts';
import { createAnnouncer } from './services/batches/announce-work.ts';
import { Backlog } from './services/batches/backlog.ts';
import { UploadQueue } from './services/batches/upload-queue.ts';
import type { TokenKeeper } from './services/connections/token-keeper.ts';
import { KeyUse } from './services/credentials/key-use.ts';
import { CredentialCache } from './services/credentials/credential-cache.ts';
import { createSignIn, type SignIn } from './services/operators/sign-in.ts';
import { FeedHub } from './services/events/feed-hub.ts';
import { VersionLookup } from './services/reading/version-lookup.ts';
import { createDeliveryWaker } from './services/webhooks/wake-deliveries.ts';
import { openPool, type DatabaseRole } from './store/database.ts';
import { findClockOffsetMs, findUnsafeSettings } from './store/durability.ts';
import { countPendingBatches } from './store/pending-batches.ts';
import { Broker } from './stream/broker.ts';
import { Presence } from './stream/presence.ts';
import { subjects } from './stream/subjects.ts';

/** What a process of the service is for. */
export type Role = 'api' | 'ingest' | 'jobs' | 'all';

/** What every verb works with: built once, passed along, disposed of in reverse. */
export interface Context extends AsyncDisposable {
  role: Role | 'cli';
  config: Config;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  newId: () => string;
  /** Sees one tenant at a time. */
  db: pg.Pool;
  /** Sees all tenants: command line, schedules, sequencing. */
  operator: pg.Pool;
  keyring: Keyring;
  broker: Broker;
  limiter: Limiter;
  credentials: CredentialCache;
  keyUse: KeyUse;
  versions: VersionLookup;
  uploads: UploadQueue;
  /** Points the workers at batches that were just committed. */
  announce: (batches: readonly { userId: string }[]) => void;
  backlog: Backlog;
  /** Brings new events to those who follow a feed. */
  feeds: FeedHub;
  /** Takes jobs in the transaction of the change that asks for them. */
  jobs: JobQueue;
  /** Points the deliverers at a webhook with something due. */
  wakeDeliveries: (webhookId: string) => void;
  /** The way out: every request to the world goes through it. */
  outbound: Outbound;
  /** The way out for mail; null where no mail server is configured. */
  mailer: Mailer | null;
  /** Renews tokens of people at providers in a process of its own; commands and tests have none, and do it themselves. */
  tokenKeeper?: TokenKeeper;
  /** Passwords and sessions of operators. */
  signIn: SignIn;
  /** True from the moment the process was asked to end. */
  draining: boolean;
}

/** Builds the context. The database must be migrated. */
export async function createContext(config: Config, role: Role | 'cli', log: Logger): Promise<Context> {
  await using resources = new AsyncDisposableStack();
  const metrics = createMetrics();

  const db = resources.adopt(openDatabase(config, 'service', config.database.poolSize), (pool) => pool.end());
  const operator = resources.adopt(openDatabase(config, 'operator', 4), (pool) => pool.end());
  await refuseUnsafeDatabase(config, db);

  const clock = config.testClock ? resources.use(new TestClock(() => findClockOffsetMs(db))) : systemClock;
  const newId = createIdSource(clock);
  const broker = resources.use(new Broker(config.secrets.natsUrl, `tributary-${role}-${config.nodeName}`));
  const credentials = new CredentialCache(db);
  broker.whenConnected((connection) => {
    connection.subscribe(subjects.credentialsChanged, { callback: () => credentials.clear() });
  });

  const servesApi = role === 'api' || role === 'all';
  const presence = servesApi ? resources.use(new Presence(broker, newId())) : null;
  const limiter = resources.use(
    new Limiter({
      store: servesApi ? await openSharedStore(config.secrets.redisUrl) : null,
      liveNodes: () => presence?.liveNodes ?? 1,
      observer: {
        modeChanged(mode, cause) {
          metrics.limiterLocal.set(mode === 'local' ? 1 : 0);
          if (mode === 'local') log.warn({ cause: String(cause) }, 'limiting locally: Redis does not answer');
          else log.info('limiting through Redis again');
        },
      },
    }),
  );
  observePools(metrics, { service: db, operator }, () => presence?.liveNodes ?? 0);

  const announce = createAnnouncer({ broker, metrics });
  const uploads = new UploadQueue(db, announce);
  const backlog = resources.use(
    new Backlog((upTo) => countPendingBatches(operator, upTo), config.ingest.backlogLimit, servesApi),
  );

  const keyring = createKeyring(config.secrets.encryptionKeys);
  const feeds = resources.use(new FeedHub({ broker, config, db, keyring, log, operator }));

  const jobs = resources.use(await openJobQueue(operator, log));
  const outbound = resources.use(createOutbound({ allow: config.outbound.allow }));
  const mailer = resources.use(createMailer(config));

  const keyUse = resources.use(new KeyUse(operator, log, () => clock.now()));
  const signIn = resources.use(createSignIn({ config, operator, keyring }));

  const owned = resources.move();
  return {
    role,
    config,
    log,
    metrics,
    clock,
    newId,
    db,
    operator,
    keyring,
    broker,
    limiter,
    credentials,
    keyUse,
    versions: new VersionLookup(db),
    uploads,
    announce,
    backlog,
    feeds,
    jobs,
    wakeDeliveries: createDeliveryWaker({ broker, metrics }),
    outbound,
    mailer,
    signIn,
    draining: false,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A pool on the configured database, working as the given role. */
export function openDatabase(config: Config, role: DatabaseRole, max: number): pg.Pool {
  return openPool({
    url: config.secrets.databaseUrl,
    role,
    max,
    statementTimeoutMs: config.database.statementTimeoutMs,
    applicationName: `tributary-${config.nodeName}`,
  });
}

/** The client of Redis is larger than everything else that a command loads, and most processes need none. */
async function openSharedStore(redisUrl: string | undefined): Promise<SharedStore | null> {
  if (redisUrl === undefined) return null;
  const { connectSharedStore } = await import('./limiter/shared-store.ts');
  return connectSharedStore(redisUrl);
}

async function refuseUnsafeDatabase(config: Config, db: pg.Pool): Promise<void> {
  const unsafe = await findUnsafeSettings(db);
  if (unsafe.length > 0) {
    throw new ConfigError(
      `PostgreSQL runs with ${unsafe.map((name) => `${name}=off`).join(', ')}: a power cut could lose what was acknowledged. Turn it on.`,
    );
  }
  if (config.env === 'production' && (await findClockOffsetMs(db)) !== 0) {
    throw new ConfigError(
      'The clock of this database was moved by a test (table clock_offset). Production needs the real time.',
    );
  }
}
