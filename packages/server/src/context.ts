import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Core } from './core.ts';
import type { Limiter } from './limiter/limiter.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { JobQueue } from './queue/job-queue.ts';
import type { AccessRecorder } from './services/access-records/access-recorder.ts';
import type { Backlog } from './services/batches/backlog.ts';
import type { DailyUsage } from './services/batches/daily-usage.ts';
import type { DeviceLimit } from './services/batches/device-limit.ts';
import type { UploadQueue } from './services/batches/upload-queue.ts';
import type { CredentialCache } from './services/credentials/credential-cache.ts';
import type { KeyUse } from './services/credentials/key-use.ts';
import type { RawPayloads } from './services/raw-payloads/raw-payloads.ts';
import type { FeedHub } from './services/events/feed-hub.ts';
import type { SignIn } from './services/operators/sign-in.ts';
import type { VersionLookup } from './services/reading/version-lookup.ts';
import type { Renewal } from './store/connections/token-renewals.ts';

/** The role of a process. */
export type Role = 'api' | 'ingest' | 'jobs' | 'keeper' | 'all';

/** Everything a service function may use: built once by `createContext`, passed along, disposed in reverse order. */
export interface Context extends Core, AsyncDisposable {
  role: Role | 'cli';
  limiter: Limiter;
  credentials: CredentialCache;
  keyUse: KeyUse;
  accessRecords: AccessRecorder;
  versions: VersionLookup;
  uploads: UploadQueue;
  /** Encrypts and decrypts the payloads of the raw layer. */
  rawPayloads: RawPayloads;
  /** Notifies workers of newly committed batches. */
  announce: (batches: readonly { userId: string }[]) => void;
  backlog: Backlog;
  dailyUsage: DailyUsage;
  deviceLimit: DeviceLimit;
  /** Sends new events to feed readers. */
  feeds: FeedHub;
  /** Enqueues jobs in the transaction of the change that needs them. */
  jobs: JobQueue;
  /** Notifies dispatchers of a webhook with due deliveries. */
  wakeDeliveries: (webhookId: string) => void;
  /** The HTTP client for all outbound requests. */
  outbound: Outbound;
  /** The outbound mail client; null when no mail server is configured. */
  mailer: Mailer | null;
  /** Has a keeper refresh provider tokens, and throws the provider's failure. Commands and tests have none and refresh tokens themselves. */
  renewals?: { renew: (wanted: Renewal, signal?: AbortSignal) => Promise<void> };
  /** Passwords and sessions of dashboard users. */
  signIn: SignIn;
  /** The thread that processes uploads, in a process of the role `all`. */
  ingestThread?: {
    readonly isRunning: boolean;
    readMetrics: () => Promise<MetricObjectWithValues<MetricValue<string>>[]>;
  };
  /** True once the process was asked to stop. */
  draining: boolean;
}
