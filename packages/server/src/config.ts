import { isIP, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { dayMs } from '@tributary/domain';
import { signatureToleranceMs } from '@tributary/providers';
import { readDatabaseLogins, type DatabaseLogins, type DatabaseSettings } from './database-settings.ts';
import { EnvironmentReader, type Environment } from './environment-reader.ts';
import { readLimits, type LimitSettings } from './limit-settings.ts';
import { readRedisSettings, type RedisSettings } from './limiter/redis-settings.ts';
import { parseSender, type MailAddress } from './mail/mail-address.ts';
import { parseSmtpUrl } from './mail/smtp-url.ts';
import { parseOpsAddress } from './ops-address.ts';
import { normalizeEntry } from './outbound/allow-list.ts';
import { checkForProduction } from './production-checks.ts';
import type { Secret } from './settings/secret.ts';
import { readNatsSettings, type NatsSettings } from './stream/nats-settings.ts';

export { ConfigError } from './environment-reader.ts';

/** The configuration of the process, typed and frozen. Secrets are separate so that the rest can be logged. */
export interface Config {
  env: 'production' | 'development' | 'test';
  nodeName: string;
  http: {
    host: string;
    port: number;
    publicUrl: string;
    trustProxy: string[];
    bodyLimitBytes: number;
    maxInFlight: number;
    maxStreams: number;
    headersTimeoutMs: number;
    bodies: BodySettings;
    shutdownDrainMs: number;
  };
  ops: { host: string; port: number };
  database: DatabaseSettings;
  log: { level: string; requests: boolean };
  limits: LimitSettings;
  nats: { replicas: number };
  /** The name of this audit log among those anchored in the same NATS. */
  audit: { name: string };
  /** With a retention of 0 days, reads are not recorded. */
  accessRecords: { retentionDays: number };
  ingest: { backlogLimit: number; rawRetentionDays: number; devicesPerUser: number };
  scores: { debounceSeconds: number };
  sandbox: { waitMs: number };
  /** How long a session of a dashboard user lasts without use. */
  dashboard: { idleSeconds: number };
  events: { retentionDays: number; heartbeatSeconds: number };
  webhooks: { deliveryRetentionDays: number; requestsPerEndpoint: number };
  /** Hosts that may be called although they are not public, normalized. */
  outbound: { allow: string[] };
  roster: { invitationRetentionDays: number };
  /** Null when mail is not configured. */
  mail: { from: MailAddress; tls: 'required' | 'optional' } | null;
  /** The lab that simulates providers for the sandbox; null without one. */
  lab: { url: string; clientId: string; clientSecret: string } | null;
  /** How providers are synced. Only proofs that move the clock change these. */
  sync: SyncSettings;
  testClock: boolean;
  secrets: Secrets;
}

/** Limits for request bodies that arrive or are being processed. */
interface BodySettings {
  /** How many may be unfinished: of requests with a credential, and as many without one. */
  mostUnfinished: number;
  mostUnfinishedPerAddress: number;
  mostBytes: number;
  mostBytesPerAddress: number;
  /** How long a body may take, in addition to the time it takes at the slowest allowed rate. */
  timeoutMs: number;
  bytesPerSecond: number;
  /** How long a body may take if its request has no credential. */
  anonymousTimeoutMs: number;
}

interface SyncSettings {
  pollIntervalMs: number;
  /** Pauses before a failed provider call is retried. */
  retryPausesMs: readonly number[];
  /** How long a call waits for the provider's rate limit before its run is postponed. */
  limitPatienceMs: number;
  /** How long a backfill rests, as a multiple of the time it worked. */
  historyRestShare: number;
  pushToleranceMs: number;
  /** The earliest day to fetch when a user connects; null for as far back as the provider keeps data. */
  historyFromMs: number | null;
}

const shippedWaits = {
  pollIntervalMs: 250,
  retryPausesMs: [200, 1_000],
  limitPatienceMs: 10_000,
  historyRestShare: 4,
};

/** Waits that a moved clock would not shorten: throttled calls are postponed until the clock moves again. */
const fastWaits = { pollIntervalMs: 100, retryPausesMs: [5, 20], limitPatienceMs: 0, historyRestShare: 0 };

/** Settings for tests and proofs. Each is off by default and rejected in production. */
const seams = ['TEST_CLOCK', 'TEST_FAST_WAITS', 'TEST_HISTORY_FROM', 'TEST_PUSH_TOLERANCE_MS'];

interface Secrets {
  database: DatabaseLogins;
  nats: NatsSettings;
  /** Absent on a single node: limits are then stored in the process. */
  redis: RedisSettings | undefined;
  smtpUrl: Secret | undefined;
  /** Newest first: the first one encrypts and signs, all of them decrypt and verify. */
  encryptionKeys: EncryptionKey[];
}

export interface EncryptionKey {
  version: number;
  key: Buffer;
}

/** Reads the environment. This is the only reader of `process.env` in the service. */
export function readConfig(source: Environment = process.env): Config {
  const env = new EnvironmentReader(source);
  const mode = env.word('TRIBUTARY_ENV', ['production', 'development', 'test'], 'production');
  const host = env.text('HOST', '127.0.0.1');
  const port = env.integer('PORT', 8080, 0, 65_535);
  const maxStreams = env.integer('MAX_STREAMS', 10_000, 0, 1_000_000);
  const config: Config = {
    env: mode,
    nodeName: env.text('NODE_NAME', hostname()),
    http: {
      host,
      port,
      publicUrl: env.text('PUBLIC_URL', `http://${host}:${port}`).replace(/\/$/, ''),
      trustProxy: parseTrustProxy(env),
      bodyLimitBytes: env.integer('BODY_LIMIT_BYTES', 1_048_576, 1_024, 67_108_864),
      maxInFlight: env.integer('MAX_IN_FLIGHT', 1_000, 1, 100_000),
      maxStreams,
      headersTimeoutMs: env.integer('HEADERS_TIMEOUT_MS', 10_000, 100, 600_000),
      bodies: {
        mostUnfinished: env.integer('MAX_UNFINISHED_BODIES', 2_000, 1, 100_000),
        mostUnfinishedPerAddress: env.integer('MAX_UNFINISHED_BODIES_PER_ADDRESS', 500, 1, 100_000),
        mostBytes: env.integer('MAX_BODY_MEMORY_BYTES', 50_331_648, 65_536, 68_719_476_736),
        mostBytesPerAddress: env.integer(
          'MAX_BODY_MEMORY_BYTES_PER_ADDRESS',
          33_554_432,
          65_536,
          68_719_476_736,
        ),
        timeoutMs: env.integer('REQUEST_TIMEOUT_MS', 30_000, 100, 600_000),
        bytesPerSecond: env.integer('REQUEST_BYTES_PER_SECOND', 16_384, 1, 1_073_741_824),
        anonymousTimeoutMs: env.integer('ANONYMOUS_TIMEOUT_MS', 5_000, 100, 600_000),
      },
      shutdownDrainMs: env.integer('SHUTDOWN_DRAIN_MS', 500, 0, 5_000),
    },
    ops: parseOpsAddress(env),
    database: {
      poolSize: env.integer('DATABASE_POOL_SIZE', 10, 1, 500),
      statementTimeoutMs: env.integer('DATABASE_STATEMENT_TIMEOUT_MS', 10_000, 100, 600_000),
      migrateOnStart: env.flag('MIGRATE_ON_START', true),
      preparedStatements: env.flag('DATABASE_PREPARED_STATEMENTS', true),
    },
    log: {
      level: env.word('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
      requests: env.flag('LOG_REQUESTS', true),
    },
    limits: readLimits(env, maxStreams),
    nats: { replicas: env.integer('NATS_REPLICAS', 1, 1, 5) },
    audit: { name: parseAuditName(env) },
    accessRecords: { retentionDays: env.integer('ACCESS_RECORD_RETENTION_DAYS', 400, 0, 36_500) },
    ingest: {
      backlogLimit: env.integer('INGEST_BACKLOG_LIMIT', 4_000, 1, 10_000_000),
      rawRetentionDays: env.integer('RAW_RETENTION_DAYS', 400, 1, 36_500),
      devicesPerUser: env.integer('MAX_DEVICES_PER_USER', 100, 1, 1_000),
    },
    events: {
      retentionDays: env.integer('EVENT_RETENTION_DAYS', 400, 1, 36_500),
      heartbeatSeconds: env.integer('STREAM_HEARTBEAT_SECONDS', 15, 1, 300),
    },
    webhooks: {
      deliveryRetentionDays: env.integer('DELIVERY_RETENTION_DAYS', 30, 1, 36_500),
      requestsPerEndpoint: env.integer('WEBHOOK_CONCURRENCY', 8, 1, 256),
    },
    outbound: { allow: parseOutboundAllow(env) },
    roster: { invitationRetentionDays: env.integer('INVITATION_RETENTION_DAYS', 90, 1, 36_500) },
    mail: parseMail(env),
    dashboard: { idleSeconds: 60 * env.integer('DASHBOARD_IDLE_MINUTES', 30, 1, 1_440) },
    sandbox: { waitMs: env.integer('SANDBOX_WAIT_MS', 5_000, 0, 20_000) },
    scores: { debounceSeconds: env.integer('SCORE_DEBOUNCE_SECONDS', 300, 0, 3_600) },
    lab: parseLab(env),
    sync: parseSync(env),
    testClock: env.flag('TEST_CLOCK', false),
    secrets: {
      database: readDatabaseLogins(env),
      nats: readNatsSettings(env),
      redis: readRedisSettings(env),
      smtpUrl: env.secret('SMTP_URL'),
      encryptionKeys: parseEncryptionKeys(env),
    },
  };
  if (mode === 'production') {
    for (const name of seams)
      if ((env.optional(name) ?? 'false') !== 'false') env.problem(`${name} is not allowed in production`);
    checkForProduction(env, config);
  }
  env.throwProblems();
  return deepFreeze(config);
}

/** The API key of commands that call the API as a client; they need nothing else from the environment. */
export function readApiKey(source: Environment = process.env): string | undefined {
  const env = new EnvironmentReader(source);
  const key = env.secret('TRIBUTARY_API_KEY');
  env.throwProblems();
  return key?.read();
}

function parseEncryptionKeys(env: EnvironmentReader): EncryptionKey[] {
  const entries = env.secretList('ENCRYPTION_KEYS');
  const keysHint =
    'use `<version>:<base64 of 32 bytes>`, newest first; generate a key with `openssl rand -base64 32`';
  if (!env.isSet('ENCRYPTION_KEYS')) env.problem(`ENCRYPTION_KEYS is missing: ${keysHint}`);
  const keys = entries.map((entry) => {
    const [, version, encoded] = /^(\d{1,4}):(.+)$/.exec(entry) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!version || key.length !== 32) env.problem(`ENCRYPTION_KEYS contains an invalid key: ${keysHint}`);
    return { version: Number(version), key };
  });
  if (new Set(keys.map((key) => key.version)).size !== keys.length)
    env.problem('ENCRYPTION_KEYS contains the same version more than once');
  return keys;
}

function parseAuditName(env: EnvironmentReader): string {
  const name = env.text('AUDIT_NAME', 'tributary');
  if (!/^[a-z0-9_-]{1,64}$/.test(name))
    env.problem('AUDIT_NAME must be 1 to 64 lowercase letters, digits, `-` or `_`');
  return name;
}

const proxyRanges = new Set(['loopback', 'linklocal', 'uniquelocal']);

function parseTrustProxy(env: EnvironmentReader): string[] {
  const entries = env.list('TRUST_PROXY');
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const most = isIPv6(address) ? 128 : 32;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (proxyRanges.has(entry) || (isIP(address) !== 0 && isRange && rest.length === 0)) continue;
    env.problem(
      `TRUST_PROXY contains the invalid entry ${JSON.stringify(entry)}: use addresses such as \`10.0.0.5\` or ranges such as \`10.0.0.0/24\``,
    );
  }
  return entries;
}

function parseOutboundAllow(env: EnvironmentReader): string[] {
  return env.list('OUTBOUND_ALLOW').flatMap((entry) => {
    const host = normalizeEntry(entry);
    if (host !== null) return host;
    env.problem(
      `OUTBOUND_ALLOW contains the invalid entry ${JSON.stringify(entry)}: use \`host\` or \`host:port\``,
    );
    return [];
  });
}

/** The provider app that every lab knows; it protects nothing but simulated data. */
function parseLab(env: EnvironmentReader): Config['lab'] {
  const url = env.optional('LAB_URL');
  if (url === undefined) return null;
  if (!URL.canParse(url)) env.problem('LAB_URL is not a URL: use the URL that `npm run lab` prints');
  return { url: url.replace(/\/$/, ''), clientId: 'lab-app', clientSecret: 'lab-app-secret' };
}

function parseSync(env: EnvironmentReader): SyncSettings {
  const from = env.optional('TEST_HISTORY_FROM');
  const historyFromMs = from === undefined ? null : Date.parse(from);
  if (Number.isNaN(historyFromMs)) env.problem('TEST_HISTORY_FROM must be an ISO 8601 timestamp');
  return {
    ...(env.flag('TEST_FAST_WAITS', false) ? fastWaits : shippedWaits),
    pushToleranceMs: env.integer('TEST_PUSH_TOLERANCE_MS', signatureToleranceMs, 0, dayMs),
    historyFromMs,
  };
}

function parseMail(env: EnvironmentReader): Config['mail'] {
  const url = env.secret('SMTP_URL')?.read();
  const sender = env.optional('MAIL_FROM');
  const tls = env.word('SMTP_TLS', ['required', 'optional'], 'required');
  if (!env.isSet('SMTP_URL') && sender === undefined) return null;
  const urlHint =
    'use `smtp://user:password@host:587` or `smtps://…`, and percent-encode everything but letters and digits in the user and password';
  if (!env.isSet('SMTP_URL')) env.problem(`SMTP_URL is missing, but MAIL_FROM requires it: ${urlHint}`);
  else if (url !== undefined && parseSmtpUrl(url) === null)
    env.problem(`SMTP_URL is not a valid SMTP URL: ${urlHint}`);
  const senderHint = 'use `mail@example.com` or `Name <mail@example.com>`';
  const from = sender === undefined ? null : parseSender(sender);
  if (sender === undefined) env.problem(`MAIL_FROM is missing, but SMTP_URL requires it: ${senderHint}`);
  else if (from === null) env.problem(`MAIL_FROM is not an email address: ${senderHint}`);
  return from && { from, tls };
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !Buffer.isBuffer(inner)) deepFreeze(inner);
  }
  return Object.freeze(value);
}
