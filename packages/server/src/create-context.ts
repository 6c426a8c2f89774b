import type { Logger } from 'pino';
import type pg from 'pg';
import { systemClock, TestClock } from './clock.ts';
import { ConfigError, type Config } from './config.ts';
import type { Context, Role } from './context.ts';
import type { DatabaseLogin } from './database-settings.ts';
import type { ConnectionObserver } from './settings/connection-failure.ts';
import { createKeyring } from './credentials/keyring.ts';
import { createIdSource } from './ids.ts';
import { openJobQueue } from './queue/job-queue.ts';
import { Loops } from './loops.ts';
import { Limiter } from './limiter/limiter.ts';
import type { SharedStore } from './limiter/shared-store.ts';
import { createMailer } from './mail/mailer.ts';
import { observeAccessRecords } from './ops/access-record-metrics.ts';
import { observeLoops } from './ops/loop-gauge.ts';
import { createMetrics, observePools } from './ops/metrics.ts';
import { AccessRecorder } from './services/access-records/access-recorder.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createAnnouncer } from './services/batches/announce-work.ts';
import { Backlog } from './services/batches/backlog.ts';
import { DailyUsage } from './services/batches/daily-usage.ts';
import { DeviceLimit } from './services/batches/device-limit.ts';
import { UploadQueue } from './services/batches/upload-queue.ts';
import { KeyUse } from './services/credentials/key-use.ts';
import { CredentialCache } from './services/credentials/credential-cache.ts';
import { createSignIn } from './services/operators/sign-in.ts';
import { checkKeyStore } from './services/raw-payloads/check-key-store.ts';
import { RawPayloads } from './services/raw-payloads/raw-payloads.ts';
import { FeedHub } from './services/events/feed-hub.ts';
import { VersionLookup } from './services/reading/version-lookup.ts';
import { createDeliveryWaker } from './services/webhooks/deliveries/wake-deliveries.ts';
import type { DatabaseRole } from './store/database/boundary.ts';
import { openPool } from './store/database/database.ts';
import { findClockOffsetMs, findUnsafeSettings } from './store/database/durability.ts';
import { countPendingByAccount } from './store/uploads/pending-batches.ts';
import { Broker } from './stream/broker.ts';
import { Presence } from './stream/presence.ts';
import { subjects } from './stream/subjects.ts';

/** Builds the context. The database must be migrated. */
export async function createContext(config: Config, role: Role | 'cli', log: Logger): Promise<Context> {
  await using resources = new AsyncDisposableStack();
  const metrics = createMetrics();
  const loops = new Loops();
  observeLoops(metrics.registry, loops);

  const db = resources.adopt(openDatabase(config, 'service', config.database.poolSize), (pool) => pool.end());
  const operator = resources.adopt(openDatabase(config, 'operator', 4), (pool) => pool.end());
  await refuseUnsafeDatabase(config, db);
  const keyStore = openKeyStore(config, 2);
  if (keyStore) resources.adopt(keyStore, (pool) => pool.end());
  await checkKeyStore(operator, keyStore);

  const clock = config.testClock ? resources.use(new TestClock(() => findClockOffsetMs(db))) : systemClock;
  const newId = createIdSource(clock);
  const broker = resources.use(
    new Broker(
      config.secrets.nats,
      `tributary-${role}-${config.nodeName}`,
      role === 'cli' ? undefined : observe(log, 'NATS'),
    ),
  );
  const credentials = new CredentialCache(db);
  broker.whenConnected((connection) => {
    connection.subscribe(subjects.credentialsChanged, { callback: () => credentials.clear() });
  });

  const servesApi = role === 'api' || role === 'all';
  const presence = servesApi ? resources.use(new Presence(broker, newId())) : null;
  const limiter = resources.use(await openLimiter({ config, log, metrics, servesApi, presence }));
  observePools(metrics, { service: db, operator }, () => presence?.liveNodes ?? 0);

  const announce = createAnnouncer({ broker, metrics });
  const uploads = new UploadQueue(db, announce);
  const backlog = resources.use(
    new Backlog(
      (upTo, fairCount) => countPendingByAccount(operator, upTo, fairCount),
      config.ingest.backlogLimit,
      servesApi ? loops.start('backlog') : null,
    ),
  );

  const dailyUsage = resources.use(new DailyUsage({ clock, config, log, operator }));

  const keyring = createKeyring(config.secrets.encryptionKeys);
  const rawPayloads = resources.use(new RawPayloads(operator, keyStore, keyring));
  const feeds = resources.use(new FeedHub({ broker, config, db, keyring, log, operator }));

  const jobs = resources.use(await openJobQueue(operator, log));
  const outbound = resources.use(createOutbound({ allow: config.outbound.allow }));
  const mailer = resources.use(createMailer(config));

  const keyUse = resources.use(new KeyUse(operator, log, () => clock.now()));
  const accessRecords = resources.use(openAccessRecorder({ clock, config, log, metrics, operator }));
  const signIn = resources.use(createSignIn({ config, operator, keyring }));

  const owned = resources.move();
  return {
    role,
    config,
    log,
    metrics,
    loops,
    clock,
    newId,
    db,
    operator,
    keyring,
    broker,
    limiter,
    credentials,
    keyUse,
    accessRecords,
    versions: new VersionLookup(db),
    uploads,
    rawPayloads,
    announce,
    backlog,
    dailyUsage,
    deviceLimit: new DeviceLimit(db, config.ingest.devicesPerUser),
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

async function openLimiter({
  config,
  log,
  metrics,
  servesApi,
  presence,
}: Pick<Context, 'config' | 'log' | 'metrics'> & {
  servesApi: boolean;
  presence: Presence | null;
}): Promise<Limiter> {
  return new Limiter({
    store: servesApi ? await openSharedStore(config, log) : null,
    liveNodes: () => presence?.liveNodes ?? 1,
    observer: {
      modeChanged(mode, cause) {
        metrics.limiterLocal.set(mode === 'local' ? 1 : 0);
        if (mode === 'local')
          log.warn({ cause: String(cause) }, 'Redis is unavailable, falling back to per-node rate limits');
        else log.info('Redis is available again, using shared rate limits');
      },
    },
  });
}

function openAccessRecorder({
  clock,
  config,
  log,
  metrics,
  operator,
}: Pick<Context, 'clock' | 'config' | 'log' | 'metrics' | 'operator'>): AccessRecorder {
  const recorder = new AccessRecorder({
    operator,
    log,
    retentionDays: config.accessRecords.retentionDays,
    onWritten: (records) => metrics.accessRecords.inc({ outcome: 'written' }, records),
    onLost: (records) => metrics.accessRecords.inc({ outcome: 'lost' }, records),
  });
  observeAccessRecords(metrics, recorder, clock);
  return recorder;
}

/** A pool on the configured database with the given role. */
export function openDatabase(config: Config, role: DatabaseRole, max: number): pg.Pool {
  return openPool({
    url: loginOf(config, role),
    role,
    max,
    statementTimeoutMs: config.database.statementTimeoutMs,
    namedStatements: config.database.preparedStatements,
    applicationName: `tributary-${config.nodeName}`,
  });
}

/** A pool on the separate key store; null if keys are in the main database. */
export function openKeyStore(config: Config, max: number): pg.Pool | null {
  return config.secrets.database.keyStore === null ? null : openDatabase(config, 'key_store', max);
}

function loginOf({ secrets }: Config, role: DatabaseRole): DatabaseLogin {
  switch (role) {
    case 'service':
      return secrets.database.service;
    case 'operator':
      return secrets.database.operator;
    case 'sign_in':
      return secrets.database.signIn;
    case 'owner':
      return secrets.database.owner;
    case 'key_store':
      return secrets.database.keyStore!;
  }
}

/** Imported lazily: the Redis client is larger than everything else that a command loads, and most processes do not need it. */
async function openSharedStore({ secrets }: Config, log: Logger): Promise<SharedStore | null> {
  if (secrets.redis === undefined) return null;
  const { connectSharedStore } = await import('./limiter/shared-store.ts');
  return connectSharedStore(secrets.redis, observe(log, 'Redis'));
}

/** Logs why an engine is unavailable, once for each reason. */
function observe(log: Logger, engine: string): ConnectionObserver {
  return {
    unavailable: ({ reason }) => log.warn({ reason }, `cannot connect to ${engine}`),
    available: () => log.info(`connected to ${engine}`),
  };
}

async function refuseUnsafeDatabase(config: Config, db: pg.Pool): Promise<void> {
  const unsafe = await findUnsafeSettings(db);
  if (unsafe.length > 0) {
    throw new ConfigError(
      `Unsafe PostgreSQL settings: ${unsafe.map((name) => `${name}=off`).join(', ')}. A power failure could lose acknowledged data. Set them to on.`,
    );
  }
  if (config.env === 'production' && (await findClockOffsetMs(db)) !== 0) {
    throw new ConfigError(
      'A test moved the clock of this database (table clock_offset). Production requires the real time.',
    );
  }
}
